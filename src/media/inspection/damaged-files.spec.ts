import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { makeWebm } from '../../../test/support/hostile-files/videos.js';
import { makeVideo, steadyPictures } from '../../../test/support/video-files.js';
import { inspect } from './inspect.js';

/** As few and small elements as there can be. */
const pictures = steadyPictures(0, 1).slice(0, 3);
const video = (format: 'mp4' | 'mov' | 'mkv' | 'mp4-fragmented', soundFrom: 0 | null = null) =>
  makeVideo({ format, pictures, soundFrom, soundPackets: 2, bytes: 8 });
const webm = (isLive = false) => makeWebm({ isLive, pictures: 4, bytes: 8 });
const dots = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } });
const frame = (background: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();
const animated = async () =>
  sharp(await Promise.all(['red', 'blue'].map(frame)), { join: { animated: true } });

const FILES: readonly (readonly [string, string, () => Promise<Buffer>])[] = [
  ['MP4', 'video/mp4', () => video('mp4', 0)],
  ['MP4 in fragments', 'video/mp4', () => video('mp4-fragmented')],
  ['QuickTime', 'video/quicktime', () => video('mov')],
  ['Matroska', 'video/x-matroska', () => video('mkv')],
  ['WebM', 'video/webm', () => webm()],
  ['a live WebM', 'video/webm', () => webm(true)],
  ['JPEG', 'image/jpeg', () => dots.clone().jpeg().toBuffer()],
  ['PNG', 'image/png', () => dots.clone().png().toBuffer()],
  ['WebP', 'image/webp', () => dots.clone().webp().toBuffer()],
  ['AVIF', 'image/avif', () => dots.clone().avif({ effort: 0 }).toBuffer()],
  ['GIF', 'image/gif', async () => (await animated()).gif().toBuffer()],
];

/** Of a file. A reader that does not advance has no bound. */
const MAX_READS = 3_000;
const JUNK = Buffer.from([0xa7, 0x1f, 0x43, 0xb6, 0x00, 0x75, 0xff, 0x08]);

describe('a damaged file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'damaged-files-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function outcomeOf(file: Buffer, contentType: string) {
    let reads = 0;
    const read = (start: number, end: number) => {
      reads += 1;
      if (reads > MAX_READS) return Promise.reject(new Error('The reader does not advance.'));
      return Promise.resolve(new Uint8Array(file.subarray(start, end)));
    };
    async function* stream(start: number, end: number) {
      yield await read(start, end);
    }
    const source = { bytes: file.length, read, stream };
    const { kind } = await inspect({ source, folder }, { contentType, isPoster: false });
    return { kind, isBounded: reads <= MAX_READS };
  }

  it.each(FILES)(
    'ends its inspection, cut, zeroed or overwritten from any of its bytes on: %s',
    async (_, contentType, make) => {
      const file = await make();
      expect(await outcomeOf(file, contentType)).toEqual({ kind: 'accepted', isBounded: true });
      const unbounded: string[] = [];
      for (let end = 0; end < file.length; end += 1) {
        const head = file.subarray(0, end);
        const rest = file.length - end;
        const tails = { nothing: Buffer.alloc(0), zeros: Buffer.alloc(rest), junk: Buffer.alloc(rest, JUNK) };
        for (const [name, tail] of Object.entries(tails))
          if (!(await outcomeOf(Buffer.concat([head, tail]), contentType)).isBounded)
            unbounded.push(`${name} after ${end} bytes`);
      }
      expect(unbounded).toEqual([]);
    },
  );

  it.each([false, true])('is refused when its elements are zeros, live: %s', async (isLive) => {
    const file = await makeWebm({ isLive });
    for (const [head, zeros] of [
      [48, 400],
      [172, 15_000],
    ] as const) {
      const damaged = Buffer.concat([file.subarray(0, head), Buffer.alloc(zeros)]);
      expect(await outcomeOf(damaged, 'video/webm')).toEqual({ kind: 'rejected', isBounded: true });
    }
  });
});
