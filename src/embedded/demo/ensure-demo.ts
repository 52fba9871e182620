import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Environment } from '#libs/config';
import type { Addresses } from '../addresses.js';
import { readPrivateFile, writePrivateFile } from '../private-file.js';
import type { Demo, Progress } from './demo.js';
import { makeDemo } from './make-demo.js';

/**
 * The demo organization, made once through the public routes and remembered in the data folder.
 * @throws Refusal when its account is there, but not of this folder
 */
export async function ensureDemo(addresses: Addresses, folder: string, given: Environment): Promise<Demo> {
  const file = join(folder, fileFor(given));
  const known = await readPrivateFile<Progress>(file);
  const progress = known ?? { email: 'demo@example.com', password: randomBytes(12).toString('base64url') };
  if (!known) await writePrivateFile(file, progress);
  return makeDemo(addresses, progress, (next) => writePrivateFile(file, next));
}

/** One for each database: what was made in one is not in another, and still there when that is used again. */
function fileFor({ DATABASE_URL, IDENTITY_DATABASE_URL }: Environment): string {
  const databases = [DATABASE_URL, IDENTITY_DATABASE_URL].map((url) => url?.trim() ?? '').join('\n');
  if (databases.trim() === '') return 'demo.json';
  return `demo-${createHash('sha256').update(databases).digest('hex').slice(0, 16)}.json`;
}
