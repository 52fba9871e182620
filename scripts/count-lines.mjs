import { globSync, readFileSync } from 'node:fs';

/**
 * npm run count: lines and files of production code by top folder, and the sizes of files. Specs, test entries of libs and generated
 * files (their first line names the script) do not count.
 */
const FOLDERS = ['src', 'libs', 'local', 'sandbox'];
const OTHERS = /[.-]spec\.tsx?$|\/testing\/|\.d\.ts$/;

const filesOf = (folder) =>
  globSync(`${folder}/**/*.{ts,tsx}`)
    .filter((file) => !OTHERS.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .filter((text) => !/Written by `npm run/.test(text.split('\n', 1)[0]))
    .map((text) => text.split('\n').length - 1);

const total = (sizes) => sizes.reduce((sum, size) => sum + size, 0);
const counted = FOLDERS.map((folder) => [folder, filesOf(folder)]);
const all = counted.flatMap(([, sizes]) => sizes).sort((one, other) => one - other);
const at = (share) => all[Math.min(all.length - 1, Math.floor(all.length * share))];

for (const [name, sizes] of [
  ...counted,
  ['src + libs', counted.slice(0, 2).flatMap(([, sizes]) => sizes)],
  ['all', all],
])
  console.log(
    `${name.padEnd(10)} ${String(total(sizes)).padStart(7)} lines ${String(sizes.length).padStart(5)} files`,
  );
console.log(
  `median ${at(0.5)}, nine in ten under ${at(0.9) + 1}, longest ${all.at(-1)}, over 300: ${all.filter((size) => size > 300).length}`,
);
