import { createHmac } from 'node:crypto';
import { isSigned } from './webhooks.controller.js';

const SECRET = `whsec_${Buffer.from('the secret of the tests, long').toString('base64')}`;
const NOW = new Date('2026-11-23T03:00:00Z');
const BODY = Buffer.from('{"type":"email.bounced","data":{}}');

const signatureOf = (id: string, seconds: number, body = BODY, secret = SECRET): string => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body.toString()}`).digest('base64')}`;
};
const at = (shift: number): number => NOW.getTime() / 1000 + shift;
const headers = (shift = 0, signatures = signatureOf('msg_1', at(shift))) => ({
  id: 'msg_1',
  timestamp: String(at(shift)),
  signatures,
});

describe('the signature of an event', () => {
  it.each([0, -299, 299])('is accepted %i seconds from now', (shift) => {
    expect(isSigned(headers(shift), BODY, [SECRET], NOW)).toBe(true);
  });

  it.each([-301, 301, 3600])('is refused %i seconds from now', (shift) => {
    expect(isSigned(headers(shift), BODY, [SECRET], NOW)).toBe(false);
  });

  it('counts when one of several is right, and one of several secrets', () => {
    const several = headers(0, `v1,AAAA v1a,xx ${signatureOf('msg_1', at(0))}`);
    expect(isSigned(several, BODY, ['whsec_AAAA', SECRET], NOW)).toBe(true);
  });

  it.each(['whsec_****************', 'whsec_', `whsec_${Buffer.alloc(23, 7).toString('base64')}`])(
    'is refused for the stored secret %s, whose key is too short to be secret',
    (secret) => {
      const signed = headers(0, signatureOf('msg_1', at(0), BODY, secret));
      expect(isSigned(signed, BODY, [secret], NOW)).toBe(false);
      expect(isSigned(headers(), BODY, [secret, SECRET], NOW)).toBe(true);
    },
  );

  it.each([
    ['another body', headers(), Buffer.from('{}')],
    ['another id', { ...headers(), id: 'msg_2' }, BODY],
    ['another time', { ...headers(), timestamp: String(at(1)) }, BODY],
    ['another secret', headers(0, signatureOf('msg_1', at(0), BODY, 'whsec_AAAA')), BODY],
    ['no signature', headers(0, ''), BODY],
    ['another version', headers(0, signatureOf('msg_1', at(0)).replace('v1', 'v2')), BODY],
    ['no id', { ...headers(), id: undefined }, BODY],
    ['a time that is no number', { ...headers(), timestamp: 'now' }, BODY],
  ])('is refused for %s', (_, given, body) => expect(isSigned(given, body, [SECRET], NOW)).toBe(false));
});
