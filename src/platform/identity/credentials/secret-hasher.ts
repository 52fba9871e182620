import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IdentityConfig } from '../identity.config.js';
import { isApiKeyOf, newApiKey } from './api-key-secret.js';
import { isSecretOf, newSecret, type SecretPrefix } from './secrets.js';

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

/** The stored form of a secret and the version of its key. */
export interface StoredHash {
  readonly hash: Buffer;
  readonly version: number;
}

/**
 * HMAC-SHA-256 with a key outside the database, so that a stolen copy of the tables verifies nothing. Secrets are long and
 * random: a slow hash would only slow down every request.
 */
@Injectable()
export class SecretHasher {
  private readonly peppers: readonly [Pepper, ...Pepper[]];

  constructor(config: IdentityConfig) {
    this.peppers = peppersOf(config.peppers) as [Pepper, ...Pepper[]];
  }

  /** With the newest key, for storage. */
  hash(secret: string): StoredHash {
    const [pepper] = this.peppers;
    return { hash: hmac(pepper, secret), version: pepper.version };
  }

  newSecret(prefix: SecretPrefix): string {
    return newSecret(prefix, this.peppers[0].key);
  }

  newApiKey(): string {
    return newApiKey(this.peppers[0].key);
  }

  /** The hash by the key that the tag identifies. @returns undefined: this service did not create the secret */
  hashOf(secret: string): Buffer | undefined {
    const pepper = this.peppers.find(({ key }) => isSecretOf(key, secret) || isApiKeyOf(key, secret));
    return pepper && hmac(pepper, secret);
  }

  /** That of `hashOf`, or for text without a tag one per configured key, newest first. */
  candidates(text: string): readonly Buffer[] {
    const hash = this.hashOf(text);
    return hash ? [hash] : this.peppers.map((pepper) => hmac(pepper, text));
  }
}

function hmac(pepper: Pepper, secret: string): Buffer {
  return createHmac('sha256', pepper.key).update(secret).digest();
}
