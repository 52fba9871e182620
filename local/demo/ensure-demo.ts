import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Environment } from '#libs/config';
import type { Addresses } from '../addresses.js';
import { readPrivateFile, writePrivateFile } from '../private-file.js';
import { type Demo, DemoIsUnavailable, type Progress } from './demo.js';
import { createDemo } from './create-demo.js';

export interface DemoOutcome {
  readonly demo?: Demo;
  /** The reason why there is no demo, without a full stop. */
  readonly withoutDemo?: string;
}

/**
 * The demo organization, created once through the public routes and stored in the data folder. A refusal by a service is an
 * outcome, not an error: the account may be locked or have a new password, and nothing else needs the demo.
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
    return { demo: await createDemo(addresses, progress, (next) => writePrivateFile(file, next)) };
  } catch (error) {
    if (error instanceof DemoIsUnavailable) return { withoutDemo: error.message };
    throw error;
  }
}

/** One file per database, because each database has its own demo. */
function fileFor({ DATABASE_URL, IDENTITY_DATABASE_URL }: Environment): string {
  const databases = [DATABASE_URL, IDENTITY_DATABASE_URL].map((url) => url?.trim() ?? '').join('\n');
  if (databases.trim() === '') return 'demo.json';
  return `demo-${createHash('sha256').update(databases).digest('hex').slice(0, 16)}.json`;
}
