import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { ImageSpec } from '#libs/content';
import { render } from '../../src/media/renditions/render.js';
import { atLeast, atMost, type Line } from '../support/line.js';
import { compare, ratio } from '../support/measure.js';
import { memoryOfRemux } from '../support/remux.js';

/** As many as cores, each with one thread, as in the child processes of a worker. */
const AT_ONCE = 2;
const PHOTOS = 4;
const GIGABYTE = 1_000_000_000;
const INSTAGRAM: ImageSpec = {
  kind: 'image',
  formats: ['jpeg'],
  maxBytes: 8_000_000,
  maxWidth: 1440,
  maxHeight: 1800,
  maxPixels: null,
  ratio: { min: 0.8, max: 1.91 },
};

/** Photos of 12 megapixels made to fit a network, compared with sharp alone doing the same resize and encode; and the memory of a video. */
export const renditions: Line = {
  name: 'renditions',
  async run(bench) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-renditions-'));
    const threads = sharp.concurrency();
    sharp.concurrency(1);
    sharp.cache(false);
    try {
      const photos = await Promise.all(Array.from({ length: PHOTOS }, (_, turn) => photo(turn)));
      let turn = 0;
      const next = () => photos[(turn += 1) % PHOTOS] as Buffer;
      const rates = await compare(
        [
          { name: 'sharp', work: () => bare(next()) },
          { name: 'render', work: () => rendered(next(), folder) },
        ],
        {
          workers: AT_ONCE,
          repetitions: bench.repetitions,
          warmUpMs: 1_000 * bench.scale,
          durationMs: 6_000 * bench.scale,
        },
      );
      const { megabytes, seconds } = await memoryOfRemux(Math.round(GIGABYTE * bench.scale), folder);
      return [
        atLeast(0.9, {
          what: 'renditions of photos of 12 megapixels',
          against: 'bare sharp, the same resize and encode',
          ...ratio(rates, 'render', 'sharp'),
        }),
        atMost(64, 'MB', {
          what: `memory of a video of ${bench.scale} GB made to fit, above an idle process`,
          against: '-',
          value: megabytes,
          note: `in ${seconds.toFixed(1)} s`,
        }),
      ];
    } finally {
      sharp.concurrency(threads);
      sharp.cache(true);
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** As a camera makes it: some noise on large areas. */
function photo(turn: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 120 + turn * 5, sigma: 12 } as const;
  return sharp({ create: { width: 4_000, height: 3_000, channels: 3, background: '#000', noise } })
    .blur(1.5)
    .jpeg({ quality: 90 })
    .toBuffer();
}

async function bare(photo: Buffer): Promise<number> {
  const made = await sharp(photo).autoOrient().resize(1_440, 1_080).jpeg({ quality: 82 }).toBuffer();
  if (made.length === 0) throw new Error('Nothing was made.');
  return 1;
}

async function rendered(photo: Buffer, folder: string): Promise<number> {
  const source = { bytes: photo.length, read: () => Promise.resolve(photo) };
  const own = await mkdtemp(join(folder, 'one-'));
  const how = { kind: 'image', spec: INSTAGRAM, focus: { x: 0.5, y: 0.5 }, aiMark: null } as const;
  const output = await render({ ...how, source, folder: own });
  if (output.kind !== 'rendered' || output.width !== 1_440) throw new Error(JSON.stringify(output));
  await rm(own, { recursive: true });
  return 1;
}
