import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

/** The key is no longer configured, the text was altered, or it belongs to another row. */
export class SecretIsUnreadable extends Error {
  constructor(cause?: unknown) {
    super('A stored secret cannot be decrypted with the configured keys.', { cause });
    this.name = 'SecretIsUnreadable';
  }
}

/** What the variable of a service must match: `keyId:base64` of 32 bytes, separated by commas. */
export const SECRET_KEYS = /^[\w-]+:[A-Za-z0-9+/_-]{43}=?(,[\w-]+:[A-Za-z0-9+/_-]{43}=?)*$/;

/** NIST SP 800-38D: 96-bit nonces, 128-bit tags. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM. An encrypted text names its key (`keyId.base64url`) and is bound to the place it was encrypted for: copied into
 * another row, it cannot be decrypted.
 */
export class SecretBox {
  private readonly keys: ReadonlyMap<string, KeyObject>;
  /** The id of the key that encrypts. Its characters are those of \w and '-'. */
  readonly newestKey: string;

  /** @param keys pairs `keyId:base64` of 32 bytes; the first encrypts, the others only decrypt. See `SECRET_KEYS`. */
  constructor({ keys }: { readonly keys: string }) {
    const pairs = keys.split(',').map((pair): [string, KeyObject] => {
      const [id = '', key = ''] = pair.split(':');
      return [id, createSecretKey(key, 'base64')];
    });
    this.keys = new Map(pairs);
    this.newestKey = pairs[0]?.[0] ?? '';
  }

  /** @param place what the secret belongs to, for example table, row and column; needed again to decrypt it. */
  encrypt(secret: string, place: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key(this.newestKey), nonce).setAAD(Buffer.from(place));
    const encrypted = Buffer.concat([
      nonce,
      cipher.update(secret, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return this.keyPrefix + encrypted.toString('base64url');
  }

  /** @throws SecretIsUnreadable */
  decrypt(encrypted: string, place: string): string {
    const dot = encrypted.indexOf('.');
    const bytes = Buffer.from(encrypted.slice(dot + 1), 'base64url');
    try {
      const decipher = createDecipheriv(
        'aes-256-gcm',
        this.key(encrypted.slice(0, dot)),
        bytes.subarray(0, NONCE_BYTES),
      );
      decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
      return (
        decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    } catch (error) {
      throw error instanceof SecretIsUnreadable ? error : new SecretIsUnreadable(error);
    }
  }

  /** Prefix of every text that was encrypted with the newest key. */
  get keyPrefix(): string {
    return `${this.newestKey}.`;
  }

  private key(id: string): KeyObject {
    const key = this.keys.get(id);
    if (!key) throw new SecretIsUnreadable();
    return key;
  }
}
