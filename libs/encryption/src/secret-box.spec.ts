import { randomBytes } from 'node:crypto';
import { SecretBox, SecretIsUnreadable } from './secret-box.js';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const box = (...keys: string[]) => new SecretBox({ keys: keys.join(',') });

describe('encrypting secrets', () => {
  const [old, current] = [key('k1'), key('k2')];

  it('decrypts what it encrypted, each time to another text', () => {
    const [first, second] = [box(old).encrypt('token', 'row/1'), box(old).encrypt('token', 'row/1')];
    expect(box(old).decrypt(first, 'row/1')).toBe('token');
    expect(first).not.toBe(second);
    expect(first).not.toContain('token');
  });

  it('does not decrypt a secret that was moved to another row', () => {
    expect(() => box(old).decrypt(box(old).encrypt('token', 'row/1'), 'row/2')).toThrow(SecretIsUnreadable);
  });

  it('does not decrypt a secret that was altered', () => {
    const encrypted = box(old).encrypt('token', 'row/1');
    const altered = encrypted.slice(0, -1) + (encrypted.endsWith('A') ? 'B' : 'A');
    expect(() => box(old).decrypt(altered.slice(0, -2), 'row/1')).toThrow(SecretIsUnreadable);
    expect(() => box(old).decrypt('k1.', 'row/1')).toThrow(SecretIsUnreadable);
  });

  it('encrypts with the first key and decrypts texts of former keys', () => {
    const encrypted = box(old).encrypt('token', 'row/1');
    const rotated = box(current, old);
    expect(rotated.decrypt(encrypted, 'row/1')).toBe('token');
    expect(encrypted.startsWith(rotated.keyPrefix)).toBe(false);
    expect(rotated.encrypt('token', 'row/1').startsWith(rotated.keyPrefix)).toBe(true);
  });

  it('cannot decrypt a text whose key is no longer configured', () => {
    expect(() => box(current).decrypt(box(old).encrypt('token', 'row/1'), 'row/1')).toThrow(
      SecretIsUnreadable,
    );
  });
});
