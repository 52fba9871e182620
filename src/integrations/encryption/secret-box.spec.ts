import { randomBytes } from 'node:crypto';
import { loadConfig } from '#libs/config';
import { EncryptionConfig } from './encryption.config.js';
import { SecretBox, SecretIsUnreadable } from './secret-box.js';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const box = (...keys: string[]) =>
  new SecretBox(loadConfig(EncryptionConfig, { ENCRYPTION_KEYS: keys.join(',') }));

describe('sealing secrets', () => {
  const [old, current] = [key('k1'), key('k2')];

  it('opens what it sealed, and never seals the same way twice', () => {
    const [first, second] = [box(old).seal('token', 'row/1'), box(old).seal('token', 'row/1')];
    expect(box(old).open(first, 'row/1')).toBe('token');
    expect(first).not.toBe(second);
    expect(first).not.toContain('token');
  });

  it('does not open a secret that was moved to another row', () => {
    expect(() => box(old).open(box(old).seal('token', 'row/1'), 'row/2')).toThrow(SecretIsUnreadable);
  });

  it('does not open a secret that was altered', () => {
    const sealed = box(old).seal('token', 'row/1');
    const altered = sealed.slice(0, -1) + (sealed.endsWith('A') ? 'B' : 'A');
    expect(() => box(old).open(altered.slice(0, -2), 'row/1')).toThrow(SecretIsUnreadable);
    expect(() => box(old).open('k1.', 'row/1')).toThrow(SecretIsUnreadable);
  });

  it('seals with the first key and still opens what older keys sealed', () => {
    const sealed = box(old).seal('token', 'row/1');
    const rotated = box(current, old);
    expect(rotated.open(sealed, 'row/1')).toBe('token');
    expect(sealed.startsWith(rotated.mark)).toBe(false);
    expect(rotated.seal('token', 'row/1').startsWith(rotated.mark)).toBe(true);
  });

  it('cannot open what was sealed with a key that is gone', () => {
    expect(() => box(current).open(box(old).seal('token', 'row/1'), 'row/1')).toThrow(SecretIsUnreadable);
  });

  it('refuses a second key under an id that stored secrets name already', () => {
    const keys = `${key('k1')},${key('k2')},${key('k1')}`;
    expect(() => box(keys)).toThrow('ENCRYPTION_KEYS: must not have two values under one id');
  });

  it.each(['', 'k1:short', `k1:${randomBytes(16).toString('base64')}`, randomBytes(32).toString('base64')])(
    'refuses a key that is none (%#)',
    (keys) => {
      expect(() => box(keys)).toThrow(/ENCRYPTION_KEYS/);
    },
  );
});
