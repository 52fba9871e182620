import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { NODE } from './install.mjs';
import { Problem, sentenceFor } from './problem.mjs';
import { run } from './run.mjs';

const STAMP = join('dist', '.built-from');
const COMPILER_STATE = join('dist', '.tsbuildinfo');
const SETTINGS = [
  'package-lock.json',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'ormconfig.ts',
];
const FOLDERS = ['src', 'libs', 'local', 'sandbox', 'bench'];

export async function buildWhenNeeded() {
  const sources = FOLDERS.flatMap(filesBelow).filter((file) => !/[.-]spec\.ts$/.test(file));
  const outputs = new Set([...sources, 'ormconfig.ts'].flatMap(outputOf));
  const fingerprint = fingerprintOf([...SETTINGS, ...sources]);
  const complete = [...outputs].every((file) => existsSync(file));
  if (complete && readIfThere(STAMP) === fingerprint) return;

  console.log('Building …');
  rmSync(STAMP, { force: true });
  if (!complete) rmSync(COMPILER_STATE, { force: true }); // it would believe that they are there
  const { code, output } = await run(NODE, ['node_modules/@nestjs/cli/bin/nest.js', 'build']);
  if (code !== 0) {
    console.error(output.trim());
    throw new Problem(sentenceFor(output) ?? 'The build failed (see above).');
  }
  removeStale(outputs);
  writeFileSync(STAMP, fingerprint);
}

/** Removes outputs without a source, which imports would still find. */
function removeStale(outputs) {
  const kept = new Set([...outputs].flatMap((file) => [file, `${file}.map`]));
  for (const file of [...FOLDERS, 'test'].flatMap((folder) => filesBelow(join('dist', folder)))) {
    if (/\.js(\.map)?$/.test(file) && !kept.has(file)) rmSync(file, { force: true });
  }
}

function outputOf(source) {
  return source.endsWith('.ts') && !source.endsWith('.d.ts')
    ? [join('dist', source.replace(/\.ts$/, '.js'))]
    : [];
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** Hashes contents, because a checkout or copy can set any modification time. */
function fingerprintOf(files) {
  const hash = createHash('sha256');
  for (const file of [...files].sort()) {
    hash.update(file.split(sep).join('/')).update('\0').update(readIfThere(file)).update('\0');
  }
  return hash.digest('hex');
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
