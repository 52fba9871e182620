import type { KeyObject } from 'node:crypto';
import { createHmac, createSecretKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IdentityConfig } from '../identity.config.js';

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

  /** For looking up: under every key in use, as the secret may have been stored before the newest came. */
  candidates(secret: string): Buffer[] {
    return this.peppers.map((pepper) => under(pepper, secret));
  }
}

function under(pepper: Pepper, secret: string): Buffer {
  return createHmac('sha256', pepper.key).update(secret).digest();
}
