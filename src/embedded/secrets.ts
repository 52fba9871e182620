import { randomBytes } from 'node:crypto';
import { networkCredentials } from './networks.js';
import { readPrivateFile, writePrivateFile } from './private-file.js';

/** What production gets from its environment and one machine invents once. */
interface ServiceSecrets {
  readonly postgresPassword: string;
  readonly objectStorageSecret: string;
  readonly INTERNAL_SERVICE_TOKEN: string;
  readonly CURSOR_SECRET: string;
  /** `keyId:base64` of 32 bytes, for AES-256-GCM. */
  readonly ENCRYPTION_KEYS: string;
  /** `keyId:base64` of 32 bytes, mixed into the hashes of tokens, keys and networks. */
  readonly IDENTITY_PEPPERS: string;
  /** By which the services of this machine ask identity. */
  readonly IDENTITY_SERVICE_TOKEN: string;
}

/** And the credentials that networks declare, by their variables. */
export type Secrets = ServiceSecrets & Readonly<Record<string, string>>;

/** The secrets of this data folder, made on the first start and kept readable for its owner only. */
export async function ensureSecrets(file: string): Promise<Secrets> {
  const known = await readPrivateFile<Partial<Secrets>>(file);
  const secrets: Secrets = { ...inventSecrets(), ...(known as Secrets | undefined) };
  if (Object.keys(known ?? {}).length < Object.keys(secrets).length) await writePrivateFile(file, secrets);
  return secrets;
}

export function inventSecrets(): Secrets {
  const random = () => randomBytes(32).toString('base64url');
  return {
    postgresPassword: random(),
    objectStorageSecret: random(),
    INTERNAL_SERVICE_TOKEN: random(),
    CURSOR_SECRET: random(),
    ENCRYPTION_KEYS: `local-1:${randomBytes(32).toString('base64')}`,
    IDENTITY_PEPPERS: `1:${randomBytes(32).toString('base64')}`,
    IDENTITY_SERVICE_TOKEN: random(),
    ...Object.fromEntries(networkCredentials().map((name) => [name, random()])),
  };
}
