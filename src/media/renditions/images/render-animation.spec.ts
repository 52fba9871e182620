import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { AiMark, AnimationSpec } from '#libs/content';
import { xmpInGif } from '../../marks/gif.js';
import type { RenderedFile, RenderOutput } from '../domain/render.types.js';
import { render } from '../render.js';

const X: AnimationSpec = {
  kind: 'animation',
  formats: ['gif'],
  maxBytes: 15_000_000,
  maxWidth: 1280,
  maxHeight: 1080,
  maxFrames: 350,
  maxFramePixels: 300_000_000,
};
const DELAYS = [40, 100, 250];

describe('an animation that fits a network', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'render-animation-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const renderBytes = (
    bytes: Buffer,
    spec: AnimationSpec,
    aiMark: AiMark | null = null,
  ): Promise<RenderOutput> =>
    render({
      source: { bytes: bytes.length, read: (start, end) => Promise.resolve(bytes.subarray(start, end)) },
      kind: 'animation',
      spec,
      focus: { x: 0.5, y: 0.5 },
      aiMark,
      folder,
    });
  const rendered = async (bytes: Buffer, spec: AnimationSpec, aiMark?: AiMark) => {
    const output = (await renderBytes(bytes, spec, aiMark)) as RenderedFile;
    expect(output).toMatchObject({ kind: 'rendered' });
    const data = await readFile(output.path);
    expect(output.bytes).toBe(data.length);
    return { output, data, metadata: await sharp(data, { animated: true }).metadata() };
  };

  it.each(['gif', 'webp'] as const)('keeps frames, delays, loops and size of a %s', async (format) => {
    const { output, metadata } = await rendered(await animation(format), { ...X, formats: ['webp', 'gif'] });

    expect(output).toMatchObject({ contentType: `image/${format}`, width: 64, height: 48, durationMs: 390 });
    expect(metadata).toMatchObject({ format, pages: 3, pageHeight: 48, delay: DELAYS, loop: 2 });
    expect(metadata.exif ?? metadata.xmp).toBeUndefined();
  });

  it.each(['gif', 'webp'] as const)(
    'says in a %s that a model made it when the source does',
    async (format) => {
      const source = await animation(format);
      const bare = await rendered(source, { ...X, formats: [format] });
      const spec = { ...X, formats: [format], maxBytes: bare.output.bytes + 1024 };

      const { output, data, metadata } = await rendered(source, spec, 'generated');

      const xmp = format === 'gif' ? xmpInGif(data) : metadata.xmp;
      expect(xmp?.toString()).toContain('digitalsourcetype/trainedAlgorithmicMedia<');
      expect([xmpInGif(bare.data), bare.metadata.xmp]).toEqual([undefined, undefined]);
      expect(output).toMatchObject({ width: 64, height: 48, durationMs: 390 });
      expect(output.bytes).toBeLessThanOrEqual(spec.maxBytes);
      expect(metadata).toMatchObject({ pages: 3, delay: DELAYS, loop: 2 });
    },
  );

  it('makes GIF of WebP when only GIF is allowed', async () => {
    const { output, metadata } = await rendered(await animation('webp'), X);

    expect(output.contentType).toBe('image/gif');
    expect(metadata).toMatchObject({ format: 'gif', pages: 3, delay: DELAYS, loop: 2 });
  });

  it.each([
    [{ maxWidth: 32 }, { width: 32, height: 24 }],
    [{ maxHeight: 12 }, { width: 16, height: 12 }],
    [{ maxFramePixels: 16 * 12 * 3 }, { width: 16, height: 12 }],
  ])('scales down to %j', async (bounds, size) => {
    const { output, metadata } = await rendered(await animation('gif'), { ...X, ...bounds });

    expect(output).toMatchObject(size);
    expect(metadata).toMatchObject({ pages: 3, pageHeight: size.height, delay: DELAYS });
  });

  it('scales down until the bytes fit', async () => {
    const source = await animation('gif');
    const full = await rendered(source, X);

    const { output } = await rendered(source, { ...X, maxBytes: Math.floor(full.output.bytes / 2) });

    expect(output.bytes).toBeLessThanOrEqual(full.output.bytes / 2);
    expect(output.width).toBeLessThan(64);
  });

  it.each([
    ['too many frames', { maxFrames: 2 }],
    ['too many bytes at every size', { maxBytes: 50 }],
  ])('fails for good with %s', async (_, bounds) => {
    const output = await renderBytes(await animation('gif'), { ...X, ...bounds });
    expect(output).toMatchObject({ kind: 'failed', code: 'cannot_fit' });
  });
});

/** Three frames of noise. */
async function animation(format: 'gif' | 'webp'): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const frames = await sharp({ create: { width: 64, height: 144, channels: 3, background: '#000', noise } })
    .raw()
    .toBuffer();
  const raw = { width: 64, height: 144, channels: 3, pageHeight: 48 } as const;
  const moving = sharp(frames, { raw }).withExif({ IFD0: { Copyright: 'A Person' } });
  const options = { delay: DELAYS, loop: 2 };
  return (format === 'gif' ? moving.gif(options) : moving.webp({ ...options, lossless: true })).toBuffer();
}
