import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  manifestStore,
  signedIso,
  signedJpeg,
  signedPng,
  signedWebp,
} from '../../../test/support/credentials.js';
import { noise } from '../../../test/support/hostile-files/pictures.js';
import { makeVideo } from '../../../test/support/video-files.js';
import { FileSource } from '../isolation/file-source.js';
import { inspect } from './inspect.js';
import { readIsoLayout } from './videos/iso-layout.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'credentials-'));
});
afterEach(() => rm(folder, { recursive: true }));

const fixture = (name: string): Promise<Buffer> => readFile(join('test/fixtures/credentials', name));

async function sourceOf(bytes: Buffer): Promise<FileSource> {
  const path = join(folder, 'original');
  await writeFile(path, bytes);
  return new FileSource({ url: pathToFileURL(path).href, etag: '', bytes: bytes.length });
}

async function claimsOf(bytes: Buffer, contentType: string) {
  const source = await sourceOf(bytes);
  const result = await inspect({ source, folder }, { contentType, isPoster: false });
  if (result.kind === 'rejected') return result.code;
  const { hasCredentials, isPublishable } = result.facts;
  return { aiMark: result.aiMark, hasCredentials, isPublishable };
}

type Signed = (store: Buffer) => Promise<Buffer>;
const jpeg = () => noise(64, 48).jpeg().toBuffer();
const png = () => noise(64, 48).png().toBuffer();
const FORMATS: readonly (readonly [string, Signed])[] = [
  ['image/jpeg', async (store) => signedJpeg(await jpeg(), store)],
  ['image/png', async (store) => signedPng(await png(), store)],
  ['image/webp', async (store) => signedWebp(await noise(64, 48).webp().toBuffer(), store)],
  ['image/avif', async (store) => signedIso(await noise(64, 48).avif({ effort: 0 }).toBuffer(), store)],
  ['video/mp4', async (store) => signedIso(await makeVideo({}), store)],
];

describe('Content Credentials of a file', () => {
  it.each(FORMATS)('are detected in %s, with what they say about a model', async (contentType, signed) => {
    const isPublishable = contentType === 'video/mp4' ? null : true;
    const found = { hasCredentials: true, isPublishable };
    for (const [term, aiMark] of [
      ['trainedAlgorithmicMedia', 'generated'],
      ['compositeWithTrainedAlgorithmicMedia', 'composite'],
      ['digitalCapture', 'none'],
      ['algorithmicMedia', 'none'],
    ] as const)
      expect(await claimsOf(await signed(manifestStore(term)), contentType)).toEqual({ aiMark, ...found });
  });

  it('are detected in files that other programs signed', async () => {
    const [picture, video] = [await fixture('no_alg.jpg'), await fixture('dashinit.mp4')];
    expect(await claimsOf(picture, 'image/jpeg')).toMatchObject({ aiMark: 'none', hasCredentials: true });
    // It has no packets, which only its box reader accepts.
    expect(await readIsoLayout(await sourceOf(video))).toMatchObject({
      aiMark: 'none',
      hasCredentials: true,
    });
  });

  it('are none in a file without a manifest, and in a JUMBF box of another kind', async () => {
    const none = { aiMark: 'none', hasCredentials: false, isPublishable: null };
    const other = manifestStore('trainedAlgorithmicMedia', { uuid: '00'.repeat(16) });
    expect(await claimsOf(await jpeg(), 'image/jpeg')).toEqual(none);
    expect(await claimsOf(signedJpeg(await jpeg(), other), 'image/jpeg')).toEqual(none);
    expect(await claimsOf(signedPng(await png(), other), 'image/png')).toEqual(none);
    expect(await claimsOf(await makeVideo({}), 'video/mp4')).toEqual(none);
    expect(await claimsOf(await noise(16, 16).gif().toBuffer(), 'image/gif')).toMatchObject({
      hasCredentials: null,
    });
  });

  it('say nothing certain about a model when they are too large or compressed', async () => {
    const unknown = { aiMark: null, hasCredentials: true };
    const large = manifestStore('trainedAlgorithmicMedia', { padding: 17 * 1024 * 1024 });
    expect(await claimsOf(signedPng(await png(), large), 'image/png')).toMatchObject(unknown);
    expect(await claimsOf(signedIso(await makeVideo({}), large), 'video/mp4')).toMatchObject(unknown);
    const compressed = manifestStore('none brob');
    expect(await claimsOf(signedPng(await png(), compressed), 'image/png')).toMatchObject(unknown);
  });

  it.each([
    ['a place in EXIF', (at) => at.withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })],
    ['a place in XMP', (at) => at.withXmp('<x:xmpmeta exif:GPSLatitude="51,30N"/>')],
    ['another orientation', (at) => at.withMetadata({ orientation: 6 })],
    ['a wide gamut', (at) => at.withIccProfile('p3')],
  ] satisfies [string, (picture: ReturnType<typeof noise>) => ReturnType<typeof noise>][])(
    'do not make a picture publishable that has %s',
    async (_, changed) => {
      const picture = signedJpeg(
        await changed(noise(64, 48)).jpeg().toBuffer(),
        manifestStore('digitalCapture'),
      );
      expect(await claimsOf(picture, 'image/jpeg')).toMatchObject({
        hasCredentials: true,
        isPublishable: false,
      });
    },
  );

  it('leave a picture publishable that has an author in EXIF and the profile of sRGB', async () => {
    const plain = noise(64, 48).withExif({ IFD0: { Copyright: 'A Person' } });
    const picture = await plain.withIccProfile('srgb').jpeg().toBuffer();
    expect(await claimsOf(signedJpeg(picture, manifestStore('digitalCapture')), 'image/jpeg')).toMatchObject({
      isPublishable: true,
    });
  });
});
