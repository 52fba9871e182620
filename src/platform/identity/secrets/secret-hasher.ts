import type { KeyObject } from 'node:crypto';
import { createHmac, createSecretKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IdentityConfig } from '../identity.config.js';
import { isApiKeyOf, newApiKey } from './api-key-secret.js';
import type { SecretPrefix } from './secrets.js';
import { isSecretOf, newSecret } from './secrets.js';

export interface Pepper {
  readonly version: number;
  readonly key: KeyObject;
}

export function peppersOf(text: string): Pepper[] {
  return text.split(',').map((entry) => {
    const [version, key] = entry.split(':') as [string, string];
    return { version: Number(version), key: createSecretKey(key, 'base64') };
  });
}

/** How a secret is stored, and under which version of the key. */
export interface StoredHash {
  readonly hash: Buffer;
  readonly version: number;
}

/**
 * HMAC-SHA-256 under a key that is not in the database: a stolen copy of the tables verifies nothing. Secrets are
 * random and long, so that a slow hash would protect nothing and cost every request.
 */
@Injectable()
export class SecretHasher {
  private readonly peppers: readonly [Pepper, ...Pepper[]];

  constructor(config: IdentityConfig) {
    this.peppers = peppersOf(config.peppers) as [Pepper, ...Pepper[]];
  }

  /** For storing. */
  hash(secret: string): StoredHash {
    const [pepper] = this.peppers;
    return { hash: under(pepper, secret), version: pepper.version };
  }

  newSecret(prefix: SecretPrefix): string {
    return newSecret(prefix, this.peppers[0].key);
  }

  newApiKey(): string {
    return newApiKey(this.peppers[0].key);
  }

  /**
   * For looking up: under the key that the secret was made under, where its tag tells; else under every key in use, as it
   * may have been stored before the newest came.
   */
  candidates(secret: string): Buffer[] {
    const maker = this.makerOf(secret);
    return (maker ? [maker] : this.peppers).map((pepper) => under(pepper, secret));
  }

  /** Whether the secret was certainly made here. One that is older than the tags was not. */
  isProven(secret: string): boolean {
    return this.makerOf(secret) !== undefined;
  }

  private makerOf(secret: string): Pepper | undefined {
    return this.peppers.find(({ key }) => isSecretOf(key, secret) || isApiKeyOf(key, secret));
  }
}

function under(pepper: Pepper, secret: string): Buffer {
  return createHmac('sha256', pepper.key).update(secret).digest();
}
