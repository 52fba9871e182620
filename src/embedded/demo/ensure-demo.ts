import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Environment } from '#libs/config';
import type { Addresses } from '../addresses.js';
import { readPrivateFile, writePrivateFile } from '../private-file.js';
import type { Demo, Progress } from './demo.js';
import { WithoutDemo } from './demo.js';
import { makeDemo } from './make-demo.js';

export interface DemoOutcome {
  readonly demo?: Demo;
  /** Why there is none, in a sentence without its full stop. */
  readonly withoutDemo?: string;
}

/**
 * The demo organization, made once through the public routes and remembered in the data folder. What a service says
 * against it is an outcome: its person may wait after mistyped passwords, or have another one by now, and nothing that
 * runs needs a demo.
 */
export async function ensureDemo(
  addresses: Addresses,
  folder: string,
  given: Environment,
): Promise<DemoOutcome> {
  const file = join(folder, fileFor(given));
  const known = await readPrivateFile<Progress>(file);
  const progress = known ?? { email: 'demo@example.com', password: randomBytes(12).toString('base64url') };
  if (!known) await writePrivateFile(file, progress);
  try {
    return { demo: await makeDemo(addresses, progress, (next) => writePrivateFile(file, next)) };
  } catch (error) {
    if (error instanceof WithoutDemo) return { withoutDemo: error.message };
    throw error;
  }
}

/** One for each database: what was made in one is not in another, and still there when that is used again. */
function fileFor({ DATABASE_URL, IDENTITY_DATABASE_URL }: Environment): string {
  const databases = [DATABASE_URL, IDENTITY_DATABASE_URL].map((url) => url?.trim() ?? '').join('\n');
  if (databases.trim() === '') return 'demo.json';
  return `demo-${createHash('sha256').update(databases).digest('hex').slice(0, 16)}.json`;
}
