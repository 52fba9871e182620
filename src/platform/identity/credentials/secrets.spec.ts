import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { loadConfig } from '#libs/config';
import { IdentityConfig } from '../identity.config.js';
import { isApiKeyOf, isShapedLikeApiKey, newApiKey as newApiKeyUnder } from './api-key-secret.js';
import { SecretHasher } from './secret-hasher.js';
import { ACCESS_TOKEN, isSecretOf, isShapedLikeSecret, newSecret, SERVICE_TOKEN } from './secrets.js';

const [KEY, OTHER_KEY] = [1, 2].map((byte) => createSecretKey(Buffer.alloc(32, byte))) as [
  KeyObject,
  KeyObject,
];
const newApiKey = () => newApiKeyUnder(KEY);
const hasherWith = (peppers: string) => new SecretHasher(Object.assign(new IdentityConfig(), { peppers }));
const first = `1:${Buffer.alloc(32, 1).toString('base64')}`;
const second = `2:${Buffer.alloc(32, 2).toString('base64')}`;

describe('an API key', () => {
  it('has a prefix, 30 characters and a checksum of 6', () => {
    expect(newApiKey()).toMatch(/^cop_live_[0-9A-Za-z]{36}$/);
    expect(isShapedLikeApiKey(newApiKey())).toBe(true);
  });

  it('has another checksum when one character differs', () => {
    const key = newApiKey();
    for (let i = 9; i < key.length; i += 1) {
      const other = key[i] === 'a' ? 'b' : 'a';
      expect(isShapedLikeApiKey(key.slice(0, i) + other + key.slice(i + 1))).toBe(false);
    }
  });

  it('has a tag that identifies its key', () => {
    const key = newApiKey();
    expect([isApiKeyOf(KEY, key), isApiKeyOf(OTHER_KEY, key)]).toEqual([true, false]);
  });

  it.each(['', 'cop_live_', 'cop_live_é', `${newApiKey()} `, newApiKey().replace('live', 'test')])(
    'is not %j',
    (text) => expect(isShapedLikeApiKey(text)).toBe(false),
  );
});

describe('a token', () => {
  it('has 256 bits after its prefix, 208 of them random', () => {
    const token = newSecret(ACCESS_TOKEN, KEY);
    expect(token).toMatch(/^copa_[A-Za-z0-9_-]{43}$/);
    expect(isShapedLikeSecret(token)).toBe(true);
    expect(isShapedLikeSecret(token.slice(1))).toBe(false);
    expect(newSecret(ACCESS_TOKEN, KEY)).not.toBe(token);
  });

  it('has a tag that identifies its key and covers its prefix', () => {
    const token = newSecret(ACCESS_TOKEN, KEY);
    expect([isSecretOf(KEY, token), isSecretOf(OTHER_KEY, token)]).toEqual([true, false]);
    expect(isSecretOf(KEY, token.replace(ACCESS_TOKEN, SERVICE_TOKEN))).toBe(false);
    for (let i = 5; i < 47; i += 1) {
      const other = token[i] === 'a' ? 'b' : 'a';
      expect(isSecretOf(KEY, token.slice(0, i) + other + token.slice(i + 1))).toBe(false);
    }
    expect(isSecretOf(KEY, ACCESS_TOKEN + randomBytes(32).toString('base64url'))).toBe(false);
  });
});

describe('the hash of a secret', () => {
  it('depends on the key, so that the database alone verifies nothing', () => {
    expect(hasherWith(first).hash('s').hash).not.toEqual(hasherWith(second).hash('s').hash);
  });

  it('is still a candidate after a key rotation', () => {
    const stored = hasherWith(first).hash('s');
    const rotated = hasherWith(`${second},${first}`);
    expect(rotated.candidates('s').some((candidate) => candidate.equals(stored.hash))).toBe(true);
    expect(rotated.hash('s').version).toBe(2);
  });

  it('has one candidate if the tag identifies the key, else one per key', () => {
    const before = hasherWith(first);
    const rotated = hasherWith(`${second},${first}`);
    for (const secret of [before.newSecret(ACCESS_TOKEN), before.newApiKey()]) {
      expect(rotated.candidates(secret)).toEqual([before.hash(secret).hash]);
      expect(rotated.hashOf(secret)).toEqual(before.hash(secret).hash);
    }
    const forged = ACCESS_TOKEN + randomBytes(32).toString('base64url');
    expect(rotated.candidates(forged)).toHaveLength(2);
    expect(rotated.hashOf(forged)).toBeUndefined();
  });

  it('needs unique key versions without leading zeros', () => {
    const load = (IDENTITY_PEPPERS: string) =>
      loadConfig(IdentityConfig, {
        IDENTITY_PEPPERS,
        IDENTITY_SERVICE_TOKENS: `api:${'x'.repeat(32)}`,
      }).peppers;
    expect(load(`${second},${first}`)).toBe(`${second},${first}`);
    expect(() => load(`${first},${second.replace('2:', '1:')}`)).toThrow(
      'IDENTITY_PEPPERS: must not have two values under one id',
    );
    expect(() => load(`${first},${second.replace('2:', '01:')}`)).toThrow(
      'IDENTITY_PEPPERS: must be version:base64',
    );
  });
});
