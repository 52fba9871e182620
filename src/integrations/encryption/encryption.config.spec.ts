import { randomBytes } from 'node:crypto';
import { loadConfig } from '#libs/config';
import { EncryptionConfig } from './encryption.config.js';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const load = (keys: string) => loadConfig(EncryptionConfig, { ENCRYPTION_KEYS: keys });

describe('the keys of secrets', () => {
  it('refuses a second key under an id that stored secrets name already', () => {
    const keys = `${key('k1')},${key('k2')},${key('k1')}`;
    expect(() => load(keys)).toThrow('ENCRYPTION_KEYS: must not have two values under one id');
  });

  it.each(['', 'k1:short', `k1:${randomBytes(16).toString('base64')}`, randomBytes(32).toString('base64')])(
    'refuses a key that is none (%#)',
    (keys) => {
      expect(() => load(keys)).toThrow(/ENCRYPTION_KEYS/);
    },
  );
});
