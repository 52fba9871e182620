import { join } from 'node:path';

// Workers, and the processes of the product that tests start, load code that was compiled before.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'node-compile');

/** One project per kind of test (see docs/testing.md). Only the kinds that touch PostgreSQL start one. */
const common = {
  testEnvironment: 'node',
  testRunner: '<rootDir>/test/runner/run-file.mjs',
  transform: {},
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.data'],
};

const withPostgres = {
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

export default {
  reporters: ['<rootDir>/test/runner/stated-statuses-reporter.mjs', 'default'],
  // One more than two cores: many tests wait, for leases, time limits and processes of their own.
  maxWorkers: 3,
  // A worker writes newly compiled code to the compile cache after its exit event: a second or more after a build. Jest's default
  // of 500 ms kills it there and reports that it failed to exit gracefully.
  workerGracefulExitTimeout: 30_000,
  // Ends a test that hangs. How fast something is belongs to the bench, not to a test on a busy machine.
  testTimeout: 300_000,
  projects: [
    { ...common, displayName: 'unit', testRegex: '[^-]\\.spec\\.ts$' },
    { ...common, ...withPostgres, displayName: 'integration', testRegex: '\\.int-spec\\.ts$' },
    { ...common, ...withPostgres, displayName: 'e2e', testRegex: '\\.e2e-spec\\.ts$' },
    { ...common, ...withPostgres, displayName: 'chaos', testRegex: '\\.chaos-spec\\.ts$' },
  ],
};
