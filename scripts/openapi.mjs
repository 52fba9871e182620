import { spawnSync } from 'node:child_process';

/** Writes docs/openapi anew from what the services serve; the same test compares them in every other run. */
const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];
const { status } = spawnSync(
  process.execPath,
  [...jest, '--selectProjects', 'e2e', '--', 'test/e2e/openapi'],
  {
    stdio: 'inherit',
    env: { ...process.env, WRITE_OPENAPI: 'yes' },
  },
);
process.exitCode = status ?? 1;
