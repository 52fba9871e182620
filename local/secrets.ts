import { randomBytes } from 'node:crypto';
import { SERVICES } from '../src/services.js';
import { readPrivateFile, writePrivateFile } from './data-folder.js';

/** Secrets by variable, of the stores and the services: what production sets and one machine generates once. */
export interface Secrets extends Readonly<Record<string, string>> {
  readonly postgresPassword: string;
  readonly objectStorageSecret: string;
}

/** The secrets of this data folder, generated on the first start and readable for their owner only. */
export async function ensureSecrets(file: string): Promise<Secrets> {
  const known = await readPrivateFile<Partial<Secrets>>(file);
  const secrets: Secrets = { ...generateSecrets(), ...(known as Secrets | undefined) };
  if (Object.keys(known ?? {}).length < Object.keys(secrets).length) await writePrivateFile(file, secrets);
  return secrets;
}

export function generateSecrets(): Secrets {
  const token = () => randomBytes(32).toString('base64url');
  const key = () => `1:${randomBytes(32).toString('base64')}`;
  const ofServices = SERVICES.flatMap(({ secrets }) => Object.entries(secrets));
  return {
    postgresPassword: token(),
    objectStorageSecret: token(),
    ...Object.fromEntries(ofServices.map(([name, kind]) => [name, kind === 'key' ? key() : token()])),
  };
}
