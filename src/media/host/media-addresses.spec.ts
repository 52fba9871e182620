import { randomBytes } from 'node:crypto';
import { FixedClock } from '#libs/clock/testing';
import { loadConfig } from '#libs/config';
import { MediaAddressesConfig } from './media-addresses.config.js';
import { MediaAddresses } from './media-addresses.js';

const HOUR = 3_600;
const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [old, current] = [newKey('k1'), newKey('k2')];
const mediaId = '019a0000-0000-7000-8000-000000000001';
const renditionId = '019a0000-0000-7000-8000-000000000002';
const thumbnail = `media/${mediaId}/thumbnail.webp`;
const rendition = `media/${mediaId}/renditions/${renditionId}.mp4`;

describe('addresses of media', () => {
  const clock = new FixedClock(new Date('2026-11-22T10:15:00Z'));
  const signedBy = (keys: string[], more: object = {}) => {
    const environment = {
      MEDIA_ADDRESS_KEYS: keys.join(','),
      PUBLIC_URL: 'https://api.example.com',
      ...more,
    };
    return new MediaAddresses(loadConfig(MediaAddressesConfig, environment), clock);
  };
  const addresses = signedBy([current]);
  const tokenOf = (address: string) => address.split('/').at(-1) ?? '';
  const token = (object = thumbnail, by = addresses) => tokenOf(by.of({ mediaId, object }));
  const after = (seconds: number) =>
    clock.jumpTo(new Date(Date.parse('2026-11-22T10:15:00Z') + seconds * 1_000));

  beforeEach(() => after(0));

  it('lead to the object under the public address, in ASCII, the same for an hour', () => {
    const address = addresses.of({ mediaId, object: rendition });
    expect(address).toMatch(/^https:\/\/api\.example\.com\/m\/[\w-]+\.[\w-]{43}$/);
    expect(address.length).toBeLessThan(300);
    after(44 * 60);
    expect(addresses.of({ mediaId, object: rendition })).toBe(address);
    after(46 * 60);
    expect(addresses.of({ mediaId, object: rendition })).not.toBe(address);
    expect(addresses.read(tokenOf(address))).toMatchObject({ key: rendition });
  });

  it('have a base of their own where one is configured', () => {
    const own = signedBy([current], { MEDIA_PUBLIC_URL: 'https://médiá.example/files' });
    expect(own.of({ mediaId, object: thumbnail })).toMatch(
      /^https:\/\/xn--mdi-gla1b\.example\/files\/m\/[\w.-]+$/,
    );
  });

  it.each([
    [rendition, 24],
    [thumbnail, 2],
    [`media/${mediaId}/preview-${renditionId}.jpg`, 2],
    [`media/${mediaId}/preview.jpg`, 2],
  ])('of %s are valid for at least %i hours and at most one more', (object, hours) => {
    const given = token(object);
    after(hours * HOUR);
    expect(addresses.read(given)).toMatchObject({ key: object, secondsLeft: 45 * 60 });
    after((hours + 1) * HOUR);
    expect(addresses.read(given)).toBeNull();
  });

  it.each([
    `media/${mediaId}/original`,
    `media/${mediaId}/original.jpg`,
    `media/${mediaId}/thumbnail.svg`,
    `media/${mediaId}/renditions/../original.jpg`,
    `media/${mediaId}/renditions/${renditionId}`,
    `media/${renditionId}/thumbnail.webp`,
    `contacts/${mediaId}`,
    '',
  ])('are never given for %s', (object) => {
    expect(() => addresses.of({ mediaId, object })).toThrow(RangeError);
  });

  const alike = (changed: string) => `${changed}.${token().split('.')[1]}`;
  const payload = (text: string) => alike(Buffer.from(text).toString('base64url'));

  it.each<[string, () => string]>([
    ['nothing', () => ''],
    ['no token', () => 'x'],
    ['no signature', () => token().split('.')[0] ?? ''],
    ['an altered signature', () => token().replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))],
    ['another form of the same signature', () => `${token()}=`],
    ['a signature of another object', () => `${token(rendition).split('.')[0]}.${token().split('.')[1]}`],
    ['a later expiry', () => payload(`k2.9999999999.${thumbnail}`)],
    ['an unknown key', () => payload(`k3.9999999999.${thumbnail}`)],
    ['a key of the prototype', () => payload(`constructor.9999999999.${thumbnail}`)],
    ['no payload', () => alike('')],
    ['bytes that are no text', () => alike(randomBytes(90).toString('base64url'))],
    ['a very long token', () => alike('A'.repeat(10_000))],
    ['another secret', () => token(thumbnail, signedBy([newKey('k2')]))],
  ])('with %s are worth nothing', (_, given) => {
    expect(addresses.read(given())).toBeNull();
  });

  it('are signed by the first key and accepted by all of them', () => {
    const former = token(thumbnail, signedBy([old]));
    expect(signedBy([old, current]).read(token())).not.toBeNull();
    const rotated = signedBy([current, old]);
    expect(rotated.read(former)).toMatchObject({ key: thumbnail });
    expect(token(thumbnail, rotated)).toBe(token());
    expect(addresses.read(former)).toBeNull();
  });

  it.each(['', 'k1:short', `${current},${current}`, randomBytes(32).toString('base64')])(
    'need a key of 32 bytes with an id (%#)',
    (keys) => expect(() => signedBy([keys])).toThrow(/MEDIA_ADDRESS_KEYS/),
  );
});
