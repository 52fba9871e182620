import { randomBytes, randomUUID } from 'node:crypto';
import { SecretIsUnreadable } from '#libs/encryption';
import { type CredentialPlace, Credentials } from './credentials.js';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const withKeys = (...keys: string[]) => new Credentials({ encryptionKeys: keys.join(',') });

describe('provider credentials', () => {
  const [old, current] = [key('k1'), key('k2')];
  const place: CredentialPlace = { id: randomUUID(), organizationId: randomUUID(), provider: 'openai' };

  it('are decrypted as they were sealed, each with a data key of its own', () => {
    const credentials = withKeys(old);
    const [first, second] = [credentials.seal(place, 'sk-1'), credentials.seal(place, 'sk-1')];
    expect(credentials.open({ ...place, ...first })).toBe('sk-1');
    expect(first.dataKey).not.toBe(second.dataKey);
    expect(() => credentials.open({ ...place, ...first, dataKey: second.dataKey })).toThrow(
      SecretIsUnreadable,
    );
    expect(JSON.stringify([first, credentials])).not.toContain('sk-1');
  });

  it.each<[string, Partial<CredentialPlace>]>([
    ['record', { id: randomUUID() }],
    ['organization', { organizationId: randomUUID() }],
    ['organization, for the platform', { organizationId: null }],
    ['provider', { provider: 'openrouter' }],
  ])('are not decrypted in another %s', (_, changes) => {
    const credentials = withKeys(old);
    const sealed = credentials.seal(place, 'sk-1');
    expect(() => credentials.open({ ...place, ...sealed, ...changes })).toThrow(SecretIsUnreadable);
  });

  it('stay readable while the key is replaced, and are resealed without a new secret', () => {
    const sealed = withKeys(old).seal(place, 'sk-1');
    const rotated = withKeys(current, old);
    expect(rotated.open({ ...place, ...sealed })).toBe('sk-1');
    expect(sealed.dataKey.startsWith(rotated.keyPrefix)).toBe(false);
    const dataKey = rotated.reseal({ ...place, ...sealed }) ?? '';
    expect(dataKey.startsWith(rotated.keyPrefix)).toBe(true);
    expect(withKeys(current).open({ ...place, secret: sealed.secret, dataKey })).toBe('sk-1');
    expect(withKeys(current).reseal({ ...place, ...sealed })).toBeNull();
  });
});
