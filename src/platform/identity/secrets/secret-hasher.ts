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

/** What a secret is looked up by. */
export interface Lookup {
  /** One where the tag tells which key the secret was made under; else one for each key in use, newest key first. */
  readonly hashes: readonly [Buffer, ...Buffer[]];
  /** The tag shows that the secret was made here. A secret that is older than the tags is not proven. */
  readonly isProven: boolean;
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
   * may have been stored before the newest came. Computes the tag once for each key.
   */
  lookup(secret: string): Lookup {
    const maker = this.peppers.find(({ key }) => isSecretOf(key, secret) || isApiKeyOf(key, secret));
    const [first, ...others] = maker ? [maker] : this.peppers;
    return {
      hashes: [under(first, secret), ...others.map((pepper) => under(pepper, secret))],
      isProven: maker !== undefined,
    };
  }

  /** The hashes of `lookup`. */
  candidates(secret: string): readonly Buffer[] {
    return this.lookup(secret).hashes;
  }
}

function under(pepper: Pepper, secret: string): Buffer {
  return createHmac('sha256', pepper.key).update(secret).digest();
}
