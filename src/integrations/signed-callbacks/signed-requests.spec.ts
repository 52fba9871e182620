import { createHmac } from 'node:crypto';
import { readSignedRequest } from './signed-requests.js';

const SECRET = 'app-secret';
const NOW = new Date('2026-11-22T12:00:00.000Z');
const SECONDS = NOW.getTime() / 1000;
const window = { now: NOW, maxAgeSeconds: 3_600 };
const person = { user_id: '218471', algorithm: 'HMAC-SHA256', issued_at: SECONDS - 60 };

const encoded = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64url');
const signatureOf = (text: string, secret = SECRET) =>
  createHmac('sha256', secret).update(text).digest('base64url');
const signed = (payload: unknown, secret = SECRET) =>
  `${signatureOf(encoded(payload), secret)}.${encoded(payload)}`;
const read = (text: string, of: { now: Date; maxAgeSeconds: number } = window) =>
  readSignedRequest(text, SECRET, of);

describe('a signed request', () => {
  it('names the person when the signature matches', () => {
    expect(read(signed(person)).subject).toBe('218471');
    expect(read(signed({ ...person, user_id: 218471 })).subject).toBe('218471');
    // Beyond 2^53 a number would be another person's.
    const long = Buffer.from(
      `{"user_id":17841400008460057,"algorithm":"HMAC-SHA256","issued_at":${SECONDS - 60}}`,
    ).toString('base64url');
    expect(read(`${signatureOf(long)}.${long}`)).toMatchObject({
      subject: '17841400008460057',
      issuedAt: SECONDS - 60,
    });
    expect(read(signed({ ...person, expires: 0, user: { country: 'de' } })).subject).toBe('218471');
  });

  it('is verified over the second part as it is received', () => {
    // The same JSON, written with other bytes.
    const spaced = Buffer.from(JSON.stringify(person, null, 2)).toString('base64url');
    expect(read(`${signatureOf(spaced)}.${spaced}`).subject).toBe('218471');
    expect(() => read(`${signatureOf(encoded(person))}.${spaced}`)).toThrow('signature');
    const decoded = signatureOf(JSON.stringify(person));
    expect(() => read(`${decoded}.${encoded(person)}`)).toThrow('signature');
  });

  it('is not accepted when the signature is of the padded payload, as some clients compute it', () => {
    const payload = encoded({ ...person, user_id: '2184' });
    const padded = payload + '='.repeat((4 - (payload.length % 4)) % 4 || 4);
    expect(() => read(`${signatureOf(padded)}.${payload}`)).toThrow('signature');
    expect(() => read(`${signatureOf(padded)}.${padded}`)).toThrow('base64url');
  });

  it.each([
    ['of another application', signed(person, 'other-secret')],
    ['that is cut', signed(person).slice(3)],
    ['of another length', `${Buffer.from('short').toString('base64url')}.${encoded(person)}`],
    ['of another payload', `${signatureOf(encoded({ ...person, user_id: '1' }))}.${encoded(person)}`],
  ])('is not accepted with a signature %s', (_, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'signature_invalid' }));
  });

  it.each([
    ['nothing', ''],
    ['no dot', 'abc'],
    ['only a dot', '.'],
    ['an empty payload', `${signatureOf('')}.`],
    ['two dots', `${signed(person)}.abc`],
    ['base64 that is not of URLs', signed(person).replace('.', '+.')],
    ['no JSON', `${signatureOf('bm8')}.bm8`],
    ['a JSON string', signed('text')],
    ['null', signed(null)],
    ['another algorithm', signed({ ...person, algorithm: 'HMAC-SHA1' })],
    ['no algorithm', signed({ ...person, algorithm: undefined })],
    ['no person', signed({ ...person, user_id: undefined })],
    ['a person that is no id', signed({ ...person, user_id: "' OR 1=1 --" })],
    ['a person that is an object', signed({ ...person, user_id: {} })],
    ['no time', signed({ ...person, issued_at: undefined })],
    ['far too many characters', `${signed(person)}${'A'.repeat(10_000)}`],
  ])('is malformed with %s', (_, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'signed_request_malformed' }));
  });

  it('is accepted in the window that is configured', () => {
    const at = (issued_at: number) => signed({ ...person, issued_at });
    const expired = expect.objectContaining({ code: 'signed_request_expired' }) as Error;
    expect(read(at(SECONDS - 3_600)).subject).toBe('218471');
    expect(() => read(at(SECONDS - 3_601))).toThrow(expired);
    expect(read(at(SECONDS + 299)).subject).toBe('218471');
    expect(() => read(at(SECONDS + 301))).toThrow(expired);
    const any = { now: NOW, maxAgeSeconds: 0 };
    expect(read(at(1), any).subject).toBe('218471');
    expect(read(signed({ ...person, issued_at: undefined }), any).subject).toBe('218471');
  });
});
