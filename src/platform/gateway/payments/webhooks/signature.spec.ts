import { createHmac } from 'node:crypto';
import { isCurrent, isSignedBy, parseSignature } from './webhooks.controller.js';

const SECRET = 'whsec_secretOfTheTests00';
const BODY = Buffer.from('{"id":"evt_1"}');
const sign = (secret: string, seconds: number, body = BODY): string =>
  createHmac('sha256', secret)
    .update(`${seconds}.${body.toString('latin1')}`, 'latin1')
    .digest('hex');
const header = (seconds: number, ...secrets: string[]): string =>
  [`t=${seconds}`, ...secrets.map((secret) => `v1=${sign(secret, seconds)}`)].join(',');
const parsed = (text: string) => {
  const result = parseSignature(text);
  if (!result) throw new Error('It is not readable.');
  return result;
};

describe('the signature of a webhook', () => {
  it('is accepted by any of the secrets, and with any of its values', () => {
    expect(isSignedBy(parsed(header(1, SECRET)), BODY, ['whsec_nextSecretOfTheTests', SECRET])).toBe(true);
    expect(isSignedBy(parsed(header(1, 'whsec_otherSecretOfTheTests', SECRET)), BODY, [SECRET])).toBe(true);
    expect(isSignedBy(parsed(header(1, 'whsec_otherSecretOfTheTests')), BODY, [SECRET])).toBe(false);
    expect(isSignedBy(parsed(header(1, SECRET)), BODY, [])).toBe(false);
  });

  it.each(['', 'whsec_****************', 'whsec_short'])(
    'is refused for the stored secret "%s"',
    (secret) => {
      expect(isSignedBy(parsed(header(1, secret)), BODY, [secret])).toBe(false);
      expect(isSignedBy(parsed(header(1, SECRET)), BODY, [secret, SECRET])).toBe(true);
    },
  );

  it('covers the time and every byte, also a byte order mark and bytes that are no text', () => {
    const signed = parsed(header(1, SECRET));
    expect(isSignedBy({ ...signed, timestamp: 2 }, BODY, [SECRET])).toBe(false);
    expect(isSignedBy(signed, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), BODY]), [SECRET])).toBe(false);
    const bytes = Buffer.from([0xff, 0xfe, 0x00]);
    const ofBytes = parsed(`t=1,v1=${sign(SECRET, 1, bytes)}`);
    expect(isSignedBy(ofBytes, bytes, [SECRET])).toBe(true);
  });

  it.each([-301, 301])('is too old or too new at %i seconds', (seconds) => {
    const now = new Date(1_000_000_000_000);
    const at = 1_000_000_000 + seconds;
    expect(isCurrent(parsed(header(at, SECRET)), now)).toBe(false);
    expect(isCurrent(parsed(header(at - Math.sign(seconds), SECRET)), now)).toBe(true);
  });

  it.each([
    undefined,
    '',
    't=1',
    'v1=00',
    `t=x,v1=${'0'.repeat(64)}`,
    `t=1,t=2,v1=${'0'.repeat(64)}`,
    't=1,v1=zz',
  ])('is unreadable as %s', (text) => expect(parseSignature(text)).toBeNull());
});
