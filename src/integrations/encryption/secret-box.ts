import type { KeyObject } from 'node:crypto';
import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EncryptionConfig } from './encryption.config.js';

/** What was stored cannot be opened: its key is gone from the configuration, it was altered, or it belongs elsewhere. */
export class SecretIsUnreadable extends Error {
  constructor(cause?: unknown) {
    super('A stored secret cannot be decrypted with the configured keys.', { cause });
    this.name = 'SecretIsUnreadable';
  }
}

/** NIST SP 800-38D: 96-bit nonces, 128-bit tags. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM. A sealed text names its key (`keyId.base64url`) and opens only for the place it was sealed for,
 * so that a row's secret copied into another row is worthless.
 */
@Injectable()
export class SecretBox {
  private readonly keys: ReadonlyMap<string, KeyObject>;
  private readonly current: string;

  constructor(config: EncryptionConfig) {
    const pairs = config.keys.split(',').map((pair): [string, KeyObject] => {
      const [id = '', key = ''] = pair.split(':');
      return [id, createSecretKey(key, 'base64')];
    });
    this.keys = new Map(pairs);
    this.current = pairs[0]?.[0] ?? '';
  }

  /** @param place what the secret belongs to, for example table, row and column; needed again to open it. */
  seal(secret: string, place: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key(this.current), nonce).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return this.mark + sealed.toString('base64url');
  }

  /** @throws SecretIsUnreadable */
  open(sealed: string, place: string): string {
    const dot = sealed.indexOf('.');
    const bytes = Buffer.from(sealed.slice(dot + 1), 'base64url');
    try {
      const decipher = createDecipheriv(
        'aes-256-gcm',
        this.key(sealed.slice(0, dot)),
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

  /** How everything begins that was sealed with the key that encrypts now. */
  get mark(): string {
    return `${this.current}.`;
  }

  private key(id: string): KeyObject {
    const key = this.keys.get(id);
    if (!key) throw new SecretIsUnreadable();
    return key;
  }
}
