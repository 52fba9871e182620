import fc from 'fast-check';
import sharp from 'sharp';
import { imageOf, maxBytesOfImage, maxBytesOfImages, mediaTypeOf, mostImagesOf } from './image-bytes.js';

const drawn = (format: 'png' | 'jpeg' | 'webp') =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#c02020' } })
    .toFormat(format)
    .toBuffer();

describe.each(['png', 'jpeg', 'webp'] as const)('a generated image in %s', (format) => {
  let bytes: Buffer;

  beforeAll(async () => {
    bytes = await drawn(format);
  });

  it('is accepted whole', async () => {
    const base64 = bytes.toString('base64');
    expect(await imageOf(base64)).toEqual({ base64, mediaType: `image/${format}` });
  });

  it('is refused when any number of bytes is missing at its end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: bytes.length }), (missing) => {
        expect(mediaTypeOf(bytes.subarray(0, bytes.length - missing))).toBeNull();
      }),
    );
  });

  it('is refused with bytes that are missing within, or that follow it', () => {
    const middle = Buffer.concat([bytes.subarray(0, 20), bytes.subarray(25)]);
    // JPEG has no lengths that lead to its end.
    if (format !== 'jpeg') expect(mediaTypeOf(middle)).toBeNull();
    expect(mediaTypeOf(Buffer.concat([bytes, Buffer.from('more')]))).toBeNull();
  });
});

const MIB = 1_048_576;

describe('the most bytes of a call for images', () => {
  it.each([
    [1, 1_024, 12, 12, 1],
    [10, 1_536, 12, 120, 10],
    [1, 1_537, 24, 24, 1],
    [10, 3_072, 24, 240, 10],
    [1, 3_073, 40, 40, 1],
    [10, 3_840, 40, 240, 6],
  ])(
    'for %d with a side of %d pixels are %d MiB each and %d together',
    (count, height, each, all, fitting) => {
      const request = { count, width: 64, height };
      expect([maxBytesOfImage(request), maxBytesOfImages(request), mostImagesOf(request)]).toEqual([
        ...[each * MIB, all * MIB, fitting],
      ]);
    },
  );
});

describe('a generated image', () => {
  it.each([
    ['empty', () => ''],
    ['no base64', () => '<html>'],
    ['base64 with a character that decoders skip', (good: string) => good.slice(0, 8) + '!' + good.slice(8)],
    ['base64 with a line break', (good: string) => good.slice(0, 8) + '\n' + good.slice(8)],
    ['base64 of addresses', () => '__--__--'],
    ['base64 without its padding', (good: string) => good.replace(/=+$/, '')],
    ['a data address', (good: string) => `data:image/png;base64,${good}`],
    ['text', () => Buffer.from('not an image').toString('base64')],
    ['GIF', () => Buffer.from('GIF89a.......').toString('base64')],
  ])('is not readable as %s', async (_, change) => {
    const files = await Promise.all([drawn('png'), drawn('jpeg'), drawn('webp')]);
    const good = files.map((file) => file.toString('base64')).find((text) => text.endsWith('='));
    if (good === undefined) throw new Error('Draw an image whose base64 has padding.');
    expect(await imageOf(good)).not.toBeNull();
    expect(await imageOf(change(good))).toBeNull();
  });

  it('is nothing for any bytes, and no error', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 64 }),
        fc.constantFrom('89504e470d0a1a0a', 'ffd8ff', '52494646'),
        (tail, head) => {
          const bytes = Buffer.concat([Buffer.from(head, 'hex'), tail]);
          expect(['image/jpeg', null]).toContain(mediaTypeOf(bytes));
        },
      ),
    );
  });
});
