/** One project per kind of test (see README, "How to check your work"). Only the kinds that touch PostgreSQL start one. */
const common = {
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: 'node',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  moduleNameMapper: {
    '^#libs/([^/]+)/testing$': '<rootDir>/libs/$1/src/testing/index.ts',
    '^#libs/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.data'],
};

const withPostgres = {
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

export default {
  // One more than two cores: many tests wait, for leases, time limits and processes of their own.
  maxWorkers: 3,
  // Ends a test that hangs. How fast something is belongs to the bench, not to a test on a busy machine.
  testTimeout: 120_000,
  projects: [
    { ...common, displayName: 'unit', testRegex: '[^-]\\.spec\\.ts$' },
    { ...common, ...withPostgres, displayName: 'integration', testRegex: '\\.int-spec\\.ts$' },
    { ...common, ...withPostgres, displayName: 'e2e', testRegex: '\\.e2e-spec\\.ts$' },
    { ...common, ...withPostgres, displayName: 'chaos', testRegex: '\\.chaos-spec\\.ts$' },
  ],
};
