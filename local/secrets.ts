import { randomBytes } from 'node:crypto';
import { networkCredentials } from './networks.js';
import { readPrivateFile, writePrivateFile } from './private-file.js';

/** Secrets that production sets and the embedded start generates once. */
interface ServiceSecrets {
  readonly postgresPassword: string;
  readonly objectStorageSecret: string;
  readonly INTERNAL_SERVICE_TOKEN: string;
  readonly CURSOR_SECRET: string;
  /** `keyId:base64` of 32 bytes, for AES-256-GCM. */
  readonly ENCRYPTION_KEYS: string;
  /** `keyId:base64` of 32 bytes, for HMAC-SHA256. */
  readonly MEDIA_ADDRESS_KEYS: string;
  /** `keyId:base64` of 32 bytes, mixed into the hashes of tokens, keys and networks. */
  readonly IDENTITY_PEPPERS: string;
  /** The services' token for identity. */
  readonly IDENTITY_SERVICE_TOKEN: string;
  /** The services' token for the provider gateway. */
  readonly GATEWAY_SERVICE_TOKEN: string;
  /** `keyId:base64` of 32 bytes, for AES-256-GCM. */
  readonly GATEWAY_ENCRYPTION_KEYS: string;
}

/** Includes the credentials that networks declare, by variable. */
export type Secrets = ServiceSecrets & Readonly<Record<string, string>>;

/** The secrets of this data folder, generated on the first start and readable for their owner only. */
export async function ensureSecrets(file: string): Promise<Secrets> {
  const known = await readPrivateFile<Partial<Secrets>>(file);
  const secrets: Secrets = { ...generateSecrets(), ...(known as Secrets | undefined) };
  if (Object.keys(known ?? {}).length < Object.keys(secrets).length) await writePrivateFile(file, secrets);
  return secrets;
}

export function generateSecrets(): Secrets {
  const random = () => randomBytes(32).toString('base64url');
  return {
    postgresPassword: random(),
    objectStorageSecret: random(),
    INTERNAL_SERVICE_TOKEN: random(),
    CURSOR_SECRET: random(),
    ENCRYPTION_KEYS: `local-1:${randomBytes(32).toString('base64')}`,
    MEDIA_ADDRESS_KEYS: `local-1:${randomBytes(32).toString('base64')}`,
    IDENTITY_PEPPERS: `1:${randomBytes(32).toString('base64')}`,
    IDENTITY_SERVICE_TOKEN: random(),
    GATEWAY_SERVICE_TOKEN: random(),
    GATEWAY_ENCRYPTION_KEYS: `local-1:${randomBytes(32).toString('base64')}`,
    ...Object.fromEntries(networkCredentials().map((name) => [name, random()])),
  };
}
