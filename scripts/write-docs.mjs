import { spawnSync } from 'node:child_process';

/** Writes docs/<name>.md and what belongs to it, for `networks` or `codes`. In every other run test/<name>.spec.ts compares them. */
const [name = ''] = process.argv.slice(2);
const run = (args, env = process.env) =>
  spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1;

const jest = [
  'scripts/prepare.mjs',
  'node_modules/jest/bin/jest.js',
  '--runTestsByPath',
  `test/${name}.spec.ts`,
];
process.exitCode =
  run(jest, { ...process.env, [`WRITE_${name.toUpperCase()}`]: 'yes' }) ||
  run(['node_modules/prettier/bin/prettier.cjs', '--write', `docs/${name}.md`]);
