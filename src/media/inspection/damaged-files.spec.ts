import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { makeWebm } from '../../../test/support/hostile-files/videos.js';
import { makeVideo, steadyPictures } from '../../../test/support/video-files.js';
import { inspect } from './inspect.js';

const pictures = steadyPictures(0, 1).slice(0, 6);
const video = (format: 'mp4' | 'mov' | 'mkv' | 'mp4-fragmented') =>
  makeVideo({ format, pictures, soundPackets: 4, bytes: 30 });
const dots = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } });
const frame = (background: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();
const animated = async () =>
  sharp(await Promise.all(['red', 'blue'].map(frame)), { join: { animated: true } });

const FILES: readonly (readonly [string, string, () => Promise<Buffer>])[] = [
  ['MP4', 'video/mp4', () => video('mp4')],
  ['MP4 in fragments', 'video/mp4', () => video('mp4-fragmented')],
  ['QuickTime', 'video/quicktime', () => video('mov')],
  ['Matroska', 'video/x-matroska', () => video('mkv')],
  ['WebM', 'video/webm', () => makeWebm()],
  ['a live WebM', 'video/webm', () => makeWebm({ isLive: true })],
  ['JPEG', 'image/jpeg', () => dots.clone().jpeg().toBuffer()],
  ['PNG', 'image/png', () => dots.clone().png().toBuffer()],
  ['WebP', 'image/webp', () => dots.clone().webp().toBuffer()],
  ['AVIF', 'image/avif', () => dots.clone().avif({ effort: 0 }).toBuffer()],
  ['GIF', 'image/gif', async () => (await animated()).gif().toBuffer()],
];

/** Reads per byte of the file. A reader that does not advance has no bound. */
const READS_PER_BYTE = 4;
const ENDS = 40;

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
      return Promise.resolve(new Uint8Array(file.subarray(start, end)));
    };
    async function* stream(start: number, end: number) {
      yield await read(start, end);
    }
    const source = { bytes: file.length, read, stream };
    const { kind } = await inspect({ source, folder }, { contentType, isPoster: false });
    return { kind, isBounded: reads <= READS_PER_BYTE * file.length + 100 };
  }

  it.each(FILES)(
    'ends its inspection wherever it is cut, zeroed or overwritten: %s',
    async (_, contentType, make) => {
      const file = await make();
      expect(await outcomeOf(file, contentType)).toEqual({ kind: 'accepted', isBounded: true });
      const ends = Array.from({ length: ENDS }, (__, index) => Math.floor((file.length * index) / ENDS));
      for (const end of [...ends, file.length - 9, file.length - 1]) {
        const head = file.subarray(0, end);
        const rest = file.length - end;
        const junk = Buffer.alloc(rest, Buffer.from([0xa7, 0x1f, 0x43, 0xb6, 0x00, 0x75, 0xff, 0x08]));
        for (const damaged of [head, Buffer.concat([head, Buffer.alloc(rest)]), Buffer.concat([head, junk])])
          expect(await outcomeOf(damaged, contentType)).toMatchObject({ isBounded: true });
      }
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
