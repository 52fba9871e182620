import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { AiMark, ImageSpec } from '#libs/content';
import type { RenderedFile, RenderOutput } from '../domain/render.types.js';
import { render } from '../render.js';

const X: ImageSpec = {
  kind: 'image',
  formats: ['jpeg', 'png', 'webp'],
  maxBytes: 5_000_000,
  maxWidth: 4096,
  maxHeight: 4096,
  maxPixels: null,
  ratio: null,
};
const INSTAGRAM: ImageSpec = {
  ...X,
  formats: ['jpeg'],
  maxWidth: 1440,
  maxHeight: 1440,
  ratio: { min: 0.8, max: 1.91 },
};
const PRIVATE = {
  IFD0: { Copyright: 'A Person' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
};

describe('an image that fits a network', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'render-image-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const renderBytes = (
    bytes: Buffer,
    spec: ImageSpec,
    focus = { x: 0.5, y: 0.5 },
    aiMark: AiMark | null = 'none',
  ): Promise<RenderOutput> =>
    render({
      source: { bytes: bytes.length, read: (start, end) => Promise.resolve(bytes.subarray(start, end)) },
      kind: 'image',
      spec,
      focus,
      aiMark,
      folder,
    });
  const rendered = async (
    bytes: Buffer,
    spec: ImageSpec,
    focus?: { x: number; y: number },
    aiMark?: AiMark | null,
  ) => {
    const output = (await renderBytes(bytes, spec, focus, aiMark)) as RenderedFile;
    expect(output).toMatchObject({ kind: 'rendered' });
    const data = await readFile(output.path);
    expect(data.length).toBe(output.bytes);
    return { output, data, metadata: await sharp(data).metadata() };
  };

  it('keeps format and size of an image that is within the bounds, and none of its metadata', async () => {
    const source = await plain(640, 480)
      .withExif(PRIVATE)
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
      .jpeg()
      .toBuffer();
    const before = await sharp(source).metadata();
    expect([before.exif, before.xmp]).not.toContain(undefined);

    const { output, metadata } = await rendered(source, X);

    expect(output).toMatchObject({ contentType: 'image/jpeg', width: 640, height: 480, durationMs: null });
    expect([metadata.exif, metadata.xmp, metadata.iptc, metadata.icc]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each(['jpeg', 'png', 'webp'] as const)(
    'says in a %s that a model made it when the source does, and nothing else of its XMP',
    async (format) => {
      const source = await sharp(await noise(300, 200))
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret/></x:xmpmeta>')
        .toFormat(format, { lossless: true })
        .toBuffer();
      const spec = { ...X, formats: [format] };
      const bare = await rendered(source, spec);
      const few = { ...spec, maxBytes: bare.output.bytes };

      const { metadata } = await rendered(source, spec, undefined, 'generated');
      const { metadata: small, output } = await rendered(source, few, undefined, 'composite');

      expect(bare.metadata.xmp).toBeUndefined();
      const xmp = metadata.xmp?.toString();
      expect(xmp).toContain('>http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia<');
      expect(xmp).not.toContain('secret');
      expect(small.xmp?.toString()).toContain('/compositeWithTrainedAlgorithmicMedia<');
      expect(output.bytes).toBeLessThanOrEqual(few.maxBytes);
    },
  );

  it('turns the picture as its orientation says', async () => {
    const stripes = await threeColours(600, 300);
    // 6: the left side of the stored picture is the top of the shown one.
    const source = await sharp(stripes).withMetadata({ orientation: 6 }).jpeg().toBuffer();

    const { output, data, metadata } = await rendered(source, X);

    expect(output).toMatchObject({ width: 300, height: 600 });
    expect(metadata.orientation).toBeUndefined();
    const colours = await colourAt(
      data,
      [0.1, 0.5, 0.9].map((y) => ({ x: 0.5, y })),
    );
    expect(colours.map((colour) => colour.indexOf(Math.max(...colour)))).toEqual([0, 1, 2]);
  });

  it('converts CMYK, P3 and 16 bits to sRGB with 8 bits', async () => {
    const colours = { r: 200, g: 30, b: 30 };
    const sources = [
      await plain(64, 64, colours).toColourspace('cmyk').jpeg().toBuffer(),
      await plain(64, 64, colours).withIccProfile('p3').png().toBuffer(),
      await plain(64, 64, colours).toColourspace('rgb16').png().toBuffer(),
    ];
    for (const source of sources) {
      const { data, metadata } = await rendered(source, INSTAGRAM);
      expect(metadata).toMatchObject({ space: 'srgb', depth: 'uchar', channels: 3 });
      expect(metadata.icc).toBeUndefined();
      const [pixel] = await colourAt(data, [{ x: 0.5, y: 0.5 }]);
      expect(Math.abs((pixel?.[0] ?? 0) - 200)).toBeLessThan(20);
    }
  });

  it('flattens alpha on white when no format with alpha is allowed, and keeps it otherwise', async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    const source = await plain(64, 64, clear).png().toBuffer();

    const flat = await rendered(source, INSTAGRAM);
    const kept = await rendered(await sharp(source).webp().toBuffer(), { ...X, formats: ['jpeg', 'png'] });

    expect(await colourAt(flat.data, [{ x: 0.5, y: 0.5 }])).toEqual([[255, 255, 255]]);
    expect(kept.metadata).toMatchObject({ format: 'png', hasAlpha: true });
  });

  it('crops to the ratio around the focus point, and scales down', async () => {
    const source = await threeColours(3000, 1000);

    const left = await rendered(source, INSTAGRAM, { x: 0, y: 0.5 });
    const right = await rendered(source, { ...INSTAGRAM, ratio: { min: 1, max: 1 } }, { x: 0.95, y: 0.5 });

    expect(left.output).toMatchObject({ width: 1440, height: 754 });
    expect(left.output.width / left.output.height).toBeLessThanOrEqual(1.91);
    expect(await namesAt(left.data, [0.1, 0.9])).toEqual(['red', 'green']);
    expect(right.output).toMatchObject({ width: 1000, height: 1000 });
    expect(await namesAt(right.data, [0.1, 0.9])).toEqual(['blue', 'blue']);
  });

  it('lowers quality before size, and stays within the bytes', async () => {
    const source = await noise(1200, 900);
    const full = await rendered(source, INSTAGRAM);

    const lower = await rendered(source, { ...INSTAGRAM, maxBytes: Math.floor(full.output.bytes * 0.7) });
    const smaller = await rendered(source, { ...INSTAGRAM, maxBytes: Math.floor(full.output.bytes * 0.2) });

    expect(lower.output).toMatchObject({ width: 1200, height: 900 });
    expect(lower.output.bytes).toBeLessThanOrEqual(full.output.bytes * 0.7);
    expect(smaller.output.width).toBeLessThan(1200);
    expect(smaller.output.bytes).toBeLessThanOrEqual(full.output.bytes * 0.2);
  });

  it('makes JPEG of a PNG photo that has too many bytes', async () => {
    const source = await sharp(await noise(800, 600))
      .png()
      .toBuffer();

    const { output } = await rendered(source, { ...X, maxBytes: 600_000 });

    expect(output).toMatchObject({ contentType: 'image/jpeg', width: 800, height: 600 });
  });

  it('shows the first frame of an animation', async () => {
    const frames = Buffer.concat([Buffer.alloc(16 * 16 * 3, 255), Buffer.alloc(16 * 16 * 3, 0)]);
    const gif = await sharp(frames, { raw: { width: 16, height: 32, channels: 3, pageHeight: 16 } })
      .gif()
      .toBuffer();

    const { output, data } = await rendered(gif, INSTAGRAM);

    expect(output).toMatchObject({ width: 16, height: 16 });
    expect(await colourAt(data, [{ x: 0.5, y: 0.5 }])).toEqual([[255, 255, 255]]);
  });

  it.each([
    // Less than the tables of an empty JPEG: the noise is another one in each run, and can fit into some hundred bytes.
    ['cannot_fit', () => noise(400, 400), { ...X, maxBytes: 100 }],
    ['cannot_fit', () => plain(1, 9).png().toBuffer(), { ...X, ratio: { min: 1.2, max: 1.3 } }],
    ['not_readable', async () => (await noise(400, 400)).subarray(0, 9_000), X],
  ])('answers %s for good', async (code, source, spec) => {
    expect(await renderBytes(await source(), spec)).toMatchObject({ kind: 'failed', code });
  });

  it('answers that a video specification is for another kind of file', async () => {
    const spec = { kind: 'video', container: 'mp4', maxBytes: 1 } as const;
    const source = { bytes: 1, read: () => Promise.resolve(new Uint8Array(1)) };
    const focus = { x: 0.5, y: 0.5 };
    const output = await render({ source, kind: 'image', spec, focus, aiMark: null, folder });
    expect(output).toMatchObject({ kind: 'failed', code: 'kind_does_not_fit' });
  });

  it('throws what the source throws: it is no answer about the file', async () => {
    const outage = new Error('store is down');
    const source = { bytes: 10, read: () => Promise.reject(outage) };
    const focus = { x: 0.5, y: 0.5 };
    const rendering = render({ source, kind: 'image', spec: X, focus, aiMark: null, folder });
    await expect(rendering).rejects.toBe(outage);
  });
});

const plain = (width: number, height: number, background: object = { r: 90, g: 120, b: 150 }): Sharp =>
  sharp({ create: { width, height, channels: 'alpha' in background ? 4 : 3, background } });

/** A photo, as far as its bytes matter. */
const noise = (width: number, height: number): Promise<Buffer> =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .jpeg({ quality: 95 })
    .toBuffer();

/** A third each of red, green and blue, from left to right. */
async function threeColours(width: number, height: number): Promise<Buffer> {
  const third = Math.floor(width / 3);
  const stripes = await Promise.all(
    ['#f00', '#0f0', '#00f'].map(async (background, index) => ({
      input: await sharp({ create: { width: third, height, channels: 3, background } })
        .png()
        .toBuffer(),
      left: index * third,
      top: 0,
    })),
  );
  return sharp({ create: { width, height, channels: 3, background: '#000' } })
    .composite(stripes)
    .png()
    .toBuffer();
}

async function colourAt(image: Buffer, points: readonly { x: number; y: number }[]): Promise<number[][]> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return points.map(({ x, y }) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    return [...data.subarray(at, at + 3)];
  });
}

/** The strongest colour at these parts of the width. */
const namesAt = async (image: Buffer, parts: readonly number[]): Promise<(string | undefined)[]> => {
  const colours = await colourAt(
    image,
    parts.map((x) => ({ x, y: 0.5 })),
  );
  return colours.map((colour) => ['red', 'green', 'blue'][colour.indexOf(Math.max(...colour))]);
};
