import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { join } from 'node:path';
import { type Environment, isSet } from '#libs/config';
import { SERVICES } from '../src/services.js';
import type { CliOptions } from './command-line.js';
import { Refusal } from './refusal.js';

/**
 * What a start creates in its data folder; other files belong to the user. Keeps the secrets: without them, keys, sessions and
 * tokens in an external database that this folder was used with would be lost.
 */
const OWN_FILES = [
  'postgres',
  'postgres.unfinished',
  'postgres.password',
  'objects',
  'sandbox',
  'demo.json',
  'demo.env',
];

/**
 * Removes the data of earlier starts after a confirmation.
 * @throws Refusal when the answer is not yes, or the data is in an external database
 */
export async function removeData(
  dataDirectory: string,
  { yes }: CliOptions,
  given: Environment,
): Promise<void> {
  const databases = SERVICES.flatMap(({ databaseVariable }) => databaseVariable ?? []);
  const own = ['DATABASE_URL', ...databases].find((name) => isSet(given, name));
  if (own) {
    throw new Refusal(
      `${own} is set, and --reset never empties a database of your own. Empty it yourself, or unset ${own} to start over what is in ${dataDirectory}.`,
    );
  }
  const kept = OWN_FILES.map((name) => join(dataDirectory, name)).filter((path) => existsSync(path));
  if (kept.length === 0) return;
  if (!yes) await ask(dataDirectory);
  for (const path of kept) await rm(path, { recursive: true, force: true });
}

async function ask(dataDirectory: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new Refusal('Nothing was removed: there is no terminal to ask. Run: npm start -- --reset --yes');
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(
    `Remove all posts, accounts and keys in ${dataDirectory}? Type yes: `,
  );
  terminal.close();
  if (answer.trim().toLowerCase() !== 'yes')
    throw new Refusal('Nothing was removed and nothing was started.');
}
