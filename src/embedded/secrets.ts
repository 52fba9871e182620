import { randomBytes } from 'node:crypto';
import { readPrivateFile, writePrivateFile } from './private-file.js';

/** What production gets from its environment and one machine invents once. */
export interface Secrets {
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
  readonly X_CLIENT_ID: string;
  readonly X_CLIENT_SECRET: string;
}

/** The secrets of this data folder, made on the first start and kept readable for its owner only. */
export async function ensureSecrets(file: string): Promise<Secrets> {
  const known = await readPrivateFile<Partial<Secrets>>(file);
  const secrets = { ...inventSecrets(), ...known };
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
    X_CLIENT_ID: random(),
    X_CLIENT_SECRET: random(),
  };
}
