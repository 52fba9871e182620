import { spawnSync } from 'node:child_process';

/** Writes docs/openapi from the running services. Without WRITE_OPENAPI the same test compares them. */
const { status } = spawnSync(
  process.execPath,
  [
    'scripts/prepare.mjs',
    'node_modules/jest/bin/jest.js',
    '--selectProjects',
    'e2e',
    '--',
    'test/e2e/openapi',
  ],
  { stdio: 'inherit', env: { ...process.env, WRITE_OPENAPI: 'yes' } },
);
process.exitCode = status ?? 1;
