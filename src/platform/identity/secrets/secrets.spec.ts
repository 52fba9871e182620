import { loadConfig } from '#libs/config';
import { IdentityConfig } from '../identity.config.js';
import { isShapedLikeApiKey, newApiKey } from './api-key-secret.js';
import { SecretHasher } from './secret-hasher.js';
import { ACCESS_TOKEN, isShapedLikeSecret, newSecret } from './secrets.js';

const hasherWith = (peppers: string) => new SecretHasher(Object.assign(new IdentityConfig(), { peppers }));
const first = `1:${Buffer.alloc(32, 1).toString('base64')}`;
const second = `2:${Buffer.alloc(32, 2).toString('base64')}`;

describe('an API key', () => {
  it('has a findable start, 30 random characters and 6 of checksum', () => {
    expect(newApiKey()).toMatch(/^cop_live_[0-9A-Za-z]{36}$/);
    expect(isShapedLikeApiKey(newApiKey())).toBe(true);
  });

  it('is refused by its checksum when any one character differs', () => {
    const key = newApiKey();
    for (let i = 9; i < key.length; i += 1) {
      const other = key[i] === 'a' ? 'b' : 'a';
      expect(isShapedLikeApiKey(key.slice(0, i) + other + key.slice(i + 1))).toBe(false);
    }
  });

  it.each(['', 'cop_live_', 'cop_live_é', `${newApiKey()} `, newApiKey().replace('live', 'test')])(
    'is not %j',
    (text) => expect(isShapedLikeApiKey(text)).toBe(false),
  );
});

describe('a token', () => {
  it('is 256 bits behind its prefix', () => {
    const token = newSecret(ACCESS_TOKEN);
    expect(token).toMatch(/^copa_[A-Za-z0-9_-]{43}$/);
    expect(isShapedLikeSecret(token)).toBe(true);
    expect(isShapedLikeSecret(token.slice(1))).toBe(false);
    expect(newSecret(ACCESS_TOKEN)).not.toBe(token);
  });
});

describe('the hash of a secret', () => {
  it('depends on the key, so that the database alone verifies nothing', () => {
    expect(hasherWith(first).hash('s').hash).not.toEqual(hasherWith(second).hash('s').hash);
  });

  it('is found again after a new key came first', () => {
    const stored = hasherWith(first).hash('s');
    const rotated = hasherWith(`${second},${first}`);
    expect(rotated.candidates('s').some((candidate) => candidate.equals(stored.hash))).toBe(true);
    expect(rotated.hash('s').version).toBe(2);
  });

  it('names its key by one spelling of a version that no other key has', () => {
    const load = (IDENTITY_PEPPERS: string) => loadConfig(IdentityConfig, { IDENTITY_PEPPERS }).peppers;
    expect(load(`${second},${first}`)).toBe(`${second},${first}`);
    expect(() => load(`${first},${second.replace('2:', '1:')}`)).toThrow(
      'IDENTITY_PEPPERS: must not have two values under one id',
    );
    expect(() => load(`${first},${second.replace('2:', '01:')}`)).toThrow(
      'IDENTITY_PEPPERS: must be version:base64',
    );
  });
});
