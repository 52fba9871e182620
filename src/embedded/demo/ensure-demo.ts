import { randomBytes } from 'node:crypto';
import type { Addresses } from '../addresses.js';
import { readPrivateFile, writePrivateFile } from '../private-file.js';
import type { Demo, Progress } from './demo.js';
import { makeDemo } from './make-demo.js';

/** The demo organization, made once through the public routes and remembered in `file`. */
export async function ensureDemo(addresses: Addresses, file: string): Promise<Demo> {
  const known = await readPrivateFile<Progress>(file);
  const progress = known ?? { email: 'demo@example.com', password: randomBytes(12).toString('base64url') };
  if (!known) await writePrivateFile(file, progress);
  return makeDemo(addresses, progress, (next) => writePrivateFile(file, next));
}
