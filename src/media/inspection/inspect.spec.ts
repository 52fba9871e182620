import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import type { ImageSpec } from '#libs/content';
import { animatedPng, blackPng, noise, pngChunk } from '../../../test/support/hostile-files/pictures.js';
import { h264Picture, makeVideo } from '../../../test/support/video-files.js';
import { FileSource } from '../isolation/file-source.js';
import { renderImage } from '../renditions/images/render-image.js';
import { inspect } from './inspect.js';

const SPEC: ImageSpec = {
  kind: 'image',
  formats: ['jpeg'],
  maxBytes: 1e6,
  maxWidth: 1_000,
  maxHeight: 1_000,
  maxPixels: null,
  ratio: null,
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inspect-'));
});
afterEach(() => rm(folder, { recursive: true }));

const sourceOf = (path: string, { length: bytes }: Buffer) =>
  new FileSource({ url: pathToFileURL(path).href, etag: '', bytes });

async function inspected(bytes: Buffer, contentType: string) {
  const path = join(folder, 'original');
  await writeFile(path, bytes);
  return inspect({ source: sourceOf(path, bytes), folder }, { contentType, isPoster: false });
}

const jpeg = (options = {}) => noise(200, 150).jpeg(options).toBuffer();
/** Where a marker of a JPEG is. */
const markerIn = (bytes: Buffer, marker: number, from = 0) =>
  bytes.indexOf(Buffer.from([0xff, marker]), from);
const inserted = (bytes: Buffer, at: number, more: Buffer) =>
  Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
const END = Buffer.from([0xff, 0xd9]);

describe('a JPEG of which the decoder complains', () => {
  it.each<[string, (bytes: Buffer) => Buffer]>([
    [
      'wrong parameters of its only scan, as cameras of phones write them',
      (bytes) => {
        const changed = Buffer.from(bytes);
        changed[markerIn(bytes, 0xda) + 4 + 1 + 6 + 1] = 0;
        return changed;
      },
    ],
    ['bytes between its segments', (bytes) => inserted(bytes, markerIn(bytes, 0xc4), Buffer.from([0, 1, 2]))],
  ])('is accepted with all of its pixels, and so is its rendition: %s', async (_, damage) => {
    const original = await jpeg();
    const bytes = damage(original);
    await expect(sharp(bytes).raw().toBuffer()).rejects.toThrow();
    expect(await inspected(bytes, 'image/jpeg')).toMatchObject({
      kind: 'accepted',
      facts: { width: 200, height: 150 },
    });
    const expected = await sharp(original).jpeg({ quality: 82 }).toBuffer();
    expect(await readFile(join(folder, 'preview.jpg'))).toEqual(expected);
    const rendition = await renderImage(
      {
        source: sourceOf(join(folder, 'original'), bytes),
        ...{ kind: 'image', focus: { x: 0.5, y: 0.5 }, aiMark: null, folder },
        spec: SPEC,
      },
      SPEC,
    );
    expect(await readFile(rendition.path)).toEqual(expected);
  });

  it.each<[string, () => Promise<Buffer>]>([
    ['is cut', async () => (await jpeg()).subarray(0, 5_000)],
    ['is cut and has an end', async () => Buffer.concat([(await jpeg()).subarray(0, 5_000), END])],
    ['is cut in a later scan', async () => (await jpeg({ progressive: true })).subarray(0, 9_000)],
    [
      'has wrong parameters and is cut before its end',
      async () => {
        const changed = Buffer.from(await jpeg());
        changed[markerIn(changed, 0xda) + 4 + 1 + 6 + 1] = 0;
        return Buffer.concat([changed.subarray(0, 5_000), END]);
      },
    ],
    [
      'has bytes between the scans, which may be the rest of a damaged one',
      async () => {
        const bytes = await jpeg({ progressive: true });
        const second = markerIn(bytes, 0xda, markerIn(bytes, 0xda) + 2);
        return inserted(bytes, second, Buffer.from([1, 2, 3]));
      },
    ],
  ])('stays refused when it %s', async (_, make) => {
    expect(await inspected(await make(), 'image/jpeg')).toMatchObject({
      kind: 'rejected',
      code: 'media_not_readable',
    });
  });
});

describe('a moving picture in a still format', () => {
  const afterHeader = 8 + 25;

  it('is recognized in a PNG whose animation begins after a long text', async () => {
    const text = pngChunk('tEXt', Buffer.from(`Comment\0${'x'.repeat(20_000)}`));
    expect(await inspected(inserted(animatedPng(), afterHeader, text), 'image/png')).toMatchObject({
      code: 'media_type_not_supported',
      message: expect.stringMatching(/Animated PNG/),
    });
    expect(await inspected(inserted(blackPng(8, 8), afterHeader, text), 'image/png')).toMatchObject({
      kind: 'accepted',
    });
  });

  it('is recognized in an AVIF sequence', async () => {
    const still = await noise(64, 64).avif({ effort: 0 }).toBuffer();
    const sequence = Buffer.from(still);
    sequence.write('avis', 8, 'latin1');
    expect(await inspected(sequence, 'image/avif')).toMatchObject({
      code: 'media_type_not_supported',
      message: expect.stringMatching(/AVIF sequences/),
    });
    expect(await inspected(still, 'image/avif')).toMatchObject({ kind: 'accepted' });
  });
});

describe('a video', () => {
  const factsOf = async (file: Parameters<typeof makeVideo>[0] = {}) => {
    const type = file.format === 'mkv' ? 'video/x-matroska' : 'video/mp4';
    const result = await inspected(await makeVideo(file), type);
    if (result.kind === 'rejected') return result;
    const { width, height, pixelAspectRatio, isInterlaced, audioSampleRate } = result.facts;
    return [width, height, pixelAspectRatio, isInterlaced, audioSampleRate];
  };
  const asked = { displayAspectWidth: 4, displayAspectHeight: 3 };

  it.each<[string, Parameters<typeof makeVideo>[0], unknown[]]>([
    ['with square pixels', {}, [1_920, 1_080, 1, false, 48_000]],
    ['with sound of 96 kHz', { hasFastSound: true }, [1_920, 1_080, 1, false, 96_000]],
    ['without sound', { soundFrom: null }, [1_920, 1_080, 1, false, null]],
    [
      'whose pixels are wider by its container',
      { picture: { ...h264Picture({}), ...asked } },
      [768, 576, 1.0667, false, 48_000],
    ],
    [
      'whose pixels are wider by Matroska',
      { format: 'mkv', picture: { ...h264Picture({}), ...asked } },
      [768, 576, 1.0667, false, 48_000],
    ],
    [
      'whose pixels are wider by its codec alone',
      { picture: h264Picture({ ratio: [16, 11] }) },
      [1_047, 576, 1.4545, false, 48_000],
    ],
    [
      'whose pixels are higher, turned',
      { rotation: 90, picture: h264Picture({ ratio: [1, 2] }) },
      [1_152, 720, 0.5, false, 48_000],
    ],
    ['with fields', { picture: h264Picture({ isInterlaced: true }) }, [720, 576, 1, true, 48_000]],
    [
      'with fields in Matroska',
      { format: 'mkv', picture: h264Picture({ isInterlaced: true, ratio: [0, 0] }) },
      [720, 576, 1, true, 48_000],
    ],
  ])('%s is described as it is shown', async (_, file, expected) => {
    expect(await factsOf(file)).toEqual(expected);
  });

  it.each<['mp4' | 'mov' | 'mkv', boolean, number, boolean]>([
    ['mp4', false, 2, true],
    ['mp4', true, 1, true],
    ['mov', false, 2, true],
    ['mkv', false, 1, true],
    ['mkv', true, 2, true],
    ['mkv', false, 0, false],
  ])(
    'in %s, whose codec says %s, has fields if the container (%i) or the codec states them',
    async (format, isInterlaced, stated, expected) => {
      const picture = { ...h264Picture({ isInterlaced }), ...asked };
      const bytes = await makeVideo({ format, picture });
      // In place of the ratio of pixels.
      const [from, to] =
        format === 'mkv'
          ? [Buffer.from([0x54, 0xb0, 0x81]), Buffer.from([0x9a, 0x82, 0, stated])]
          : [Buffer.from('pasp'), Buffer.from([...Buffer.from('fiel'), stated])];
      const at = bytes.indexOf(from);
      expect(at).toBeGreaterThan(0);
      to.copy(bytes, at);
      const type = format === 'mkv' ? 'video/x-matroska' : 'video/mp4';
      expect(await inspected(bytes, type)).toMatchObject({ facts: { isInterlaced: expected } });
    },
  );
});
