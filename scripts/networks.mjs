import { spawnSync } from 'node:child_process';

/** Writes docs/networks.md and the networks' part of .env.example. In every other run the same test compares them. */
const run = (args, env = process.env) =>
  spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1;

const jest = [
  'scripts/prepare.mjs',
  'node_modules/jest/bin/jest.js',
  '--runTestsByPath',
  'test/networks.spec.ts',
];
process.exitCode =
  run(jest, { ...process.env, WRITE_NETWORKS: 'yes' }) ||
  run(['node_modules/prettier/bin/prettier.cjs', '--write', 'docs/networks.md']);
