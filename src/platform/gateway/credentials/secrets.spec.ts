import type { CredentialProvider } from './providers.js';
import { acceptSecret, readKeyedSecret, readSmtpSecret, SecretIsNotValid } from './secrets.js';

const SERVER = { host: 'smtp.example.com', port: 587, user: 'ada', password: 'correct horse' };

describe('the secret of a provider', () => {
  it.each<CredentialProvider>(['openai', 'openrouter', 'anthropic', 'google', 'resend', 'stripe'])(
    'is a key for %s, of which the last four characters are shown',
    (provider) => {
      const key = 'sk-0123456789abcdefghij';
      expect(acceptSecret(provider, key, true)).toEqual({ text: key, hint: 'ghij' });
      expect(acceptSecret(provider, 'sk-01234567', true).hint).toBe('');
    },
  );

  it.each<[string, unknown]>([
    ['missing', undefined],
    ['null', null],
    ['a number', 12_345_678],
    ['too short', 'sk-0123'],
    ['too long', 'k'.repeat(4_097)],
    ['two lines', 'sk-0123456789\r\nX-Other: 1'],
    ['beyond ASCII', 'sk-012345678é'],
    ['an object', { key: 'sk-0123456789' }],
    ['a list', ['sk-0123456789']],
    ['an object as text', '{"key":"sk-0123456789"}'],
  ])('is refused when it is %s', (_, secret) => {
    expect(() => acceptSecret('openai', secret, true)).toThrow(SecretIsNotValid);
  });

  it.each<CredentialProvider>(['resend', 'stripe'])('is no object as text for %s', (provider) => {
    for (const text of ['{"key":"re_0123456789"}', '{"key":7,"webhookSecrets":[]}', '{re_0123456789'])
      for (const secret of [text, { key: text }])
        expect(() => acceptSecret(provider, secret, true)).toThrow(SecretIsNotValid);
  });

  it('can contain the secrets of webhooks, for providers that send them', () => {
    const webhookSecrets = ['whsec_0123456789abcdef', 'whsec_fedcba9876543210'];
    const secret = { key: 'sk_test_0123456789abcdef', webhookSecrets };
    const { text, hint } = acceptSecret('stripe', secret, false);
    expect(hint).toBe('cdef');
    expect(readKeyedSecret(text)).toEqual(secret);
    expect(readKeyedSecret('sk_test_0123456789abcdef')).toEqual({
      key: 'sk_test_0123456789abcdef',
      webhookSecrets: [],
    });
    for (const refused of [webhookSecrets[0], [''], Array(11).fill(webhookSecrets[0])])
      expect(() => acceptSecret('stripe', { ...secret, webhookSecrets: refused }, false)).toThrow(
        SecretIsNotValid,
      );
    expect(() => acceptSecret('stripe', { ...secret, url: 'http://10.0.0.1' }, false)).toThrow(
      SecretIsNotValid,
    );
  });

  const bytes = (count: number): string => Buffer.alloc(count, 0xa5).toString('base64');

  it.each<[CredentialProvider, string, string]>([
    ['resend', 'masked', 'whsec_****************'],
    ['resend', 'masked but as long as a secret', `whsec_${'*'.repeat(40)}`],
    ['resend', 'a key of 23 bytes', `whsec_${bytes(23)}`],
    ['resend', 'without its prefix', bytes(32)],
    ['stripe', 'masked', 'whsec_****************'],
    ['stripe', 'shortened', 'whsec_0123456789'],
    ['stripe', 'without its prefix', '0123456789abcdef0123456789abcdef'],
  ])('contains no secret of webhooks of %s that is %s', (provider, _, webhookSecret) => {
    const secret = { key: 'key_0123456789abcdef', webhookSecrets: [webhookSecret] };
    const refused = expect.objectContaining({ member: '/webhookSecrets/0' }) as Error;
    expect(() => acceptSecret(provider, secret, true)).toThrow(refused);
  });

  it.each([24, 25, 26, 32, 64])('contains secrets of webhooks of Resend with a key of %i bytes', (count) => {
    const secret = { key: 're_0123456789abcdef', webhookSecrets: [`whsec_${bytes(count)}`] };
    expect(readKeyedSecret(acceptSecret('resend', secret, true).text)).toEqual(secret);
  });

  it('is left out for the video provider', () => {
    expect(acceptSecret('youtube', undefined, false)).toEqual({ text: '', hint: '' });
    expect(() => acceptSecret('youtube', 'a-secret-of-a-client', false)).toThrow(SecretIsNotValid);
  });

  describe('of a mail server', () => {
    it('has an address and an account', () => {
      const { text, hint } = acceptSecret('smtp', SERVER, true);
      expect(readSmtpSecret(text)).toEqual({ ...SERVER, secure: false });
      expect(hint).toBe('smtp.example.com:587');
      expect(readSmtpSecret(acceptSecret('smtp', { ...SERVER, port: 465 }, true).text).secure).toBe(true);
    });

    it.each<[string, object]>([
      ['/host', { host: 'smtp.example.com/x' }],
      ['/host', { host: '-example.com' }],
      ['/host', { host: '' }],
      ['/port', { port: 0 }],
      ['/port', { port: 65_536 }],
      ['/port', { port: '587' }],
      ['/secure', { secure: 'yes' }],
      ['/user', { user: '' }],
      ['/user', { user: 'ada\r\nRSET' }],
      ['/password', { password: undefined }],
      ['', { path: '/tmp' }],
    ])('is refused at %s: %j', (member, changes) => {
      const refused = expect.objectContaining({ member }) as Error;
      expect(() => acceptSecret('smtp', { ...SERVER, ...changes }, false)).toThrow(refused);
    });

    it.each([
      '127.0.0.1',
      '::1',
      '10.0.0.5',
      '169.254.169.254',
      'localhost',
      'LOCALHOST',
      'mail',
      'mail.localhost',
      'mail.svc.cluster.local',
      'metadata.google.internal',
      '127.1',
      '0x7f.0.0.1',
    ])('has a public host, if an organization stores it: not %s', (host) => {
      expect(() => acceptSecret('smtp', { ...SERVER, host }, true)).toThrow(/public internet/);
      expect(acceptSecret('smtp', { ...SERVER, host }, false).hint).toContain(':587');
    });
  });
});
