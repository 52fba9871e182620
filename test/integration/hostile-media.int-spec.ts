import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { InspectionResult } from '../../src/media/inspection/domain/inspection.types.js';
import { INSPECT_SLOWLY, inspectionBudget } from '../../src/media/inspection/inspect-in-process.js';
import { MediaProcesses } from '../../src/media/isolation/media-processes.js';
import { xmpBox } from '../../src/media/marks/mp4.js';
import { markAsGenerated } from '../../src/media/marks/write-mark.js';
import { xmpPacket } from '../../src/media/marks/xmp-packet.js';
import type { TaskOutcome } from '../../src/media/isolation/media-task.js';
import {
  animatedPng,
  animation,
  blackPng,
  GPS,
  noise,
  redAndBlue,
} from '../support/hostile-files/pictures.js';
import { ServedBytes } from '../support/hostile-files/serve-bytes.js';
import {
  box,
  contentOf,
  endless,
  fileOfBrand,
  forge,
  makeWebm,
  resize,
} from '../support/hostile-files/videos.js';
import { makeVideo, reorderedPictures, steadyPictures } from '../support/video-files.js';

const processes = new MediaProcesses({ processes: 1 });
const served = new ServedBytes();
let folder: string;

beforeAll(() => served.start());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-media-test-'));
});
afterEach(() => rm(folder, { recursive: true }));
afterAll(async () => {
  await processes.onApplicationShutdown();
  served.stop();
});

async function outcomeOf(
  bytes: Buffer,
  contentType: string,
  isPoster = false,
  budget = inspectionBudget(contentType, bytes.length),
): Promise<TaskOutcome<InspectionResult>> {
  served.bytes = bytes;
  served.sent = 0;
  return processes.run(INSPECT_SLOWLY, {
    input: { contentType, isPoster },
    source: served.address,
    budget,
    folder,
  });
}

/** @throws when the child process or the task failed */
async function inspect(bytes: Buffer, contentType: string, isPoster = false): Promise<InspectionResult> {
  const outcome = await outcomeOf(bytes, contentType, isPoster);
  if (outcome.kind === 'failed') throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.output;
}

const facts = async (bytes: Buffer, contentType: string) => {
  const result = await inspect(bytes, contentType);
  if (result.kind === 'rejected') throw new Error(`${result.code}: ${result.message}`);
  return result.facts;
};
const rejection = (code: string, message = /./) => ({
  kind: 'rejected',
  code,
  message: expect.stringMatching(message),
});
const derived = (name: string) => readFile(join(folder, name));

const jpeg = () => noise(200, 100).jpeg().toBuffer();
const cut = (bytes: Buffer, share = 0.7) => bytes.subarray(0, Math.floor(bytes.length * share));

describe('pictures', () => {
  it.each([
    ['image/jpeg', () => jpeg(), 'preview.jpg'],
    ['image/png', () => noise(200, 100).png().toBuffer(), 'preview.jpg'],
    ['image/png', () => noise(200, 100, 4).png().toBuffer(), 'preview.webp'],
    ['image/webp', () => noise(200, 100).webp().toBuffer(), 'preview.jpg'],
    ['image/avif', () => noise(200, 100).avif({ effort: 0 }).toBuffer(), 'preview.jpg'],
    ['image/gif', () => noise(200, 100).gif().toBuffer(), 'preview.jpg'],
  ])('accepts %s and makes a thumbnail and a preview', async (contentType, make, preview) => {
    const result = await inspect(await make(), contentType);
    expect(result).toMatchObject({
      kind: 'accepted',
      contentType,
      facts: { kind: 'image', width: 200, height: 100, frames: null, durationMs: null },
      thumbnail: { name: 'thumbnail.webp', contentType: 'image/webp' },
      preview: { name: preview },
    });
    expect(await sharp(await derived(preview)).metadata()).toMatchObject({ width: 200, height: 100 });
    expect((await readdir(folder)).sort()).toEqual([preview, 'source', 'thumbnail.webp'].sort());
  });

  it('scales large pictures down', async () => {
    await facts(blackPng(4_000, 2_000), 'image/png');
    expect(await sharp(await derived('preview.jpg')).metadata()).toMatchObject({ width: 1_600, height: 800 });
    expect(await sharp(await derived('thumbnail.webp')).metadata()).toMatchObject({
      width: 320,
      height: 160,
    });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('turns orientation %i upright', async (orientation) => {
    const picture = await redAndBlue().withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer();
    const isTurned = orientation >= 5;
    expect(await facts(picture, 'image/jpeg')).toMatchObject({
      orientation,
      width: isTurned ? 20 : 40,
      height: isTurned ? 40 : 20,
    });
    // Where the red half is: left, right, right, left, top, top, bottom, bottom (EXIF 2.32, tag Orientation).
    const [x, y] = (
      [
        [5, 10],
        [35, 10],
        [35, 10],
        [5, 10],
        [10, 5],
        [10, 5],
        [10, 35],
        [10, 35],
      ] as const
    )[orientation - 1] ?? [0, 0];
    for (const name of ['preview.jpg', 'thumbnail.webp']) {
      const pixel = await sharp(await derived(name))
        .extract({ left: x, top: y, width: 1, height: 1 })
        .raw()
        .toBuffer();
      expect([(pixel[0] ?? 0) > 200, (pixel[2] ?? 0) < 60]).toEqual([true, true]);
    }
  });

  it('removes the position from thumbnail and preview', async () => {
    const picture = await noise(50, 50).withExif(GPS).jpeg().toBuffer();
    expect(picture.includes('PRIVATE-OWNER')).toBe(true);
    await facts(picture, 'image/jpeg');
    for (const name of ['preview.jpg', 'thumbnail.webp']) {
      expect((await derived(name)).includes('PRIVATE-OWNER')).toBe(false);
      expect((await sharp(await derived(name)).metadata()).exif).toBeUndefined();
    }
  });

  it('converts CMYK to sRGB', async () => {
    const picture = await noise(50, 50).toColourspace('cmyk').jpeg().toBuffer();
    expect(await facts(picture, 'image/jpeg')).toMatchObject({ colourSpace: 'cmyk', hasAlpha: false });
    expect((await sharp(await derived('preview.jpg')).metadata()).space).toBe('srgb');
  });

  it.each([
    ['image/gif', () => animation(5, 80).toBuffer(), 400],
    [
      'image/webp',
      () =>
        animation(5, 80)
          .webp({ delay: [80, 80, 80, 80, 80] })
          .toBuffer(),
      400,
    ],
    ['image/gif', () => animation(5, 0).toBuffer(), 500],
  ])('knows frames and duration of an animated %s', async (contentType, make, durationMs) => {
    const facts = { kind: 'animation', width: 16, height: 8, frames: 5, durationMs };
    expect(await inspect(await make(), contentType)).toMatchObject({ facts });
    for (const name of await readdir(folder).then((names) => names.filter((each) => each !== 'source')))
      expect((await sharp(await derived(name)).metadata()).pages).toBeUndefined();
  });

  it('refuses an animation as a poster', async () => {
    expect(await inspect(await animation(2, 80).toBuffer(), 'image/gif', true)).toMatchObject(
      rejection('media_not_readable', /still/),
    );
    expect(await inspect(await makeVideo(), 'video/mp4', true)).toMatchObject(
      rejection('media_type_not_supported', /poster/),
    );
    expect(await inspect(await jpeg(), 'image/jpeg', true)).toMatchObject({ kind: 'accepted' });
  });

  it('accepts a JPEG with a tail, which no derived file has', async () => {
    const tail = Buffer.from('PK\x03\x04<html><script>alert(1)</script>');
    await facts(Buffer.concat([await jpeg(), tail]), 'image/jpeg');
    for (const name of ['preview.jpg', 'thumbnail.webp'])
      expect((await derived(name)).includes('<script>')).toBe(false);
  });

  it.each<[string, string, string, () => Buffer | Promise<Buffer>]>([
    ['an empty file', 'image/png', 'media_type_not_supported', () => Buffer.alloc(0)],
    [
      'a script that begins like a GIF',
      'image/gif',
      'media_not_readable',
      () => Buffer.from('GIF89a=1;/*' + 'x'.repeat(500) + '*/alert(1)'),
    ],
    [
      'a JPEG after an ID3 tag',
      'image/jpeg',
      'media_not_readable',
      async () => Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1'), await jpeg()]),
    ],
    [
      'only the first bytes of a JPEG',
      'image/jpeg',
      'media_not_readable',
      () => Buffer.from('ffd8ffe0', 'hex'),
    ],
    ['a PNG of 50 000 × 50 000', 'image/png', 'media_has_too_many_pixels', () => blackPng(50_000, 50_000, 2)],
    [
      'a PNG of 16 000 × 16 000 in 32 kB',
      'image/png',
      'media_has_too_many_pixels',
      () => blackPng(16_000, 16_000),
    ],
    [
      'a progressive JPEG over its own limit',
      'image/jpeg',
      'media_has_too_many_pixels',
      () => sharp(blackPng(7_200, 7_000)).jpeg({ progressive: true }).toBuffer(),
    ],
    [
      'an animation with too many frames',
      'image/gif',
      'media_has_too_many_frames',
      async () => withTinyFrames(await sharp(blackPng(8, 8)).gif().toBuffer(), 5_000),
    ],
    [
      'an animation of a month',
      'image/gif',
      'media_not_readable',
      async () => withTinyFrames(await sharp(blackPng(2, 1)).gif().toBuffer(), 4_000, 0xffff),
    ],
    ['an animation with too many pixels', 'image/gif', 'media_has_too_many_pixels', () => hugeGif()],
    [
      'an SVG with a script',
      'image/png',
      'media_type_not_supported',
      () =>
        Buffer.from(
          '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        ),
    ],
    [
      'an SVG without a declaration',
      'image/jpeg',
      'media_type_not_supported',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    ],
    [
      'HTML',
      'image/png',
      'media_type_not_supported',
      () => Buffer.from('<!doctype html><script>alert(1)</script>'),
    ],
    ['a HEIC', 'image/jpeg', 'media_type_not_supported', () => fileOfBrand('heic')],
    ['an AVIF without a picture', 'image/avif', 'media_not_readable', () => fileOfBrand('avif')],
    ['an animated PNG', 'image/png', 'media_type_not_supported', () => animatedPng()],
    ['a PDF', 'image/jpeg', 'media_type_not_supported', () => Buffer.from('%PDF-1.7\n')],
    ['a truncated JPEG', 'image/jpeg', 'media_not_readable', async () => cut(await jpeg())],
    [
      'a truncated PNG',
      'image/png',
      'media_not_readable',
      async () => cut(await noise(200, 100).png().toBuffer()),
    ],
    ['a PNG with missing rows', 'image/png', 'media_not_readable', () => blackPng(100, 100, 50)],
    [
      'a truncated WebP',
      'image/webp',
      'media_not_readable',
      async () => cut(await noise(200, 100).webp().toBuffer()),
    ],
    [
      'a truncated AVIF',
      'image/avif',
      'media_not_readable',
      async () => cut(await noise(200, 100).avif({ effort: 0 }).toBuffer()),
    ],
    [
      'an animated GIF without its second half',
      'image/gif',
      'media_not_readable',
      async () => cut(await noisyGif()),
    ],
    ['a PNG that is declared as a JPEG', 'image/jpeg', 'media_type_does_not_match', () => blackPng(8, 8)],
    ['a video that is declared as a picture', 'image/png', 'media_type_does_not_match', () => makeVideo()],
  ])('refuses %s', async (_, contentType, code, make) => {
    expect(await inspect(await make(), contentType)).toEqual(rejection(code));
  });

  it('says what to do with a HEIC', async () => {
    expect(await inspect(fileOfBrand('heic'), 'image/jpeg')).toMatchObject({
      message: expect.stringContaining('as JPEG'),
    });
  });
});

const noisyGif = () => {
  const frames = Array.from({ length: 4 }, (_, index) => Buffer.alloc(64 * 64 * 3, index * 50));
  for (const frame of frames) for (let at = 0; at < frame.length; at += 7) frame[at] = (at * 31) % 251;
  return sharp(Buffer.concat(frames), { raw: { width: 64, height: 256, channels: 3, pageHeight: 64 } })
    .gif()
    .toBuffer();
};

/** A GIF with more frames of one pixel. @param delay of each, in hundredths of a second */
const withTinyFrames = (gif: Buffer, count: number, delay = 10) => {
  const tiny = Buffer.from('21f904000a0000002c0000000001000100000202440100', 'hex');
  tiny.writeUInt16LE(delay, 4);
  return Buffer.concat([
    gif.subarray(0, gif.lastIndexOf(0x3b)),
    ...Array<Buffer>(count).fill(tiny),
    Buffer.from([0x3b]),
  ]);
};

const hugeGif = async () => withTinyFrames(await sharp(blackPng(4_000, 4_000)).gif().toBuffer(), 6);

/** An index whose first fragment stands for four thousand million pictures. */
const endlessIndex = async () =>
  endless(await makeVideo({ format: 'mp4-fragmented', pictures: reorderedPictures(2) }));

describe('videos', () => {
  const GOOD = {
    kind: 'video',
    width: 1920,
    height: 1080,
    durationMs: 2_000,
    frameRate: 25,
    videoCodec: 'avc1.640028',
    audioCodec: 'mp4a.40.2',
    audioChannels: 2,
    indexFirst: true,
    hasEditLists: false,
  };

  it.each([
    ['with its index first', {}, 'video/mp4', {}],
    ['with its index last', { fastStart: false }, 'video/mp4', { indexFirst: false }],
    ['of QuickTime', { format: 'mov' as const }, 'video/quicktime', {}],
    ['that is turned', { rotation: 90 as const }, 'video/mp4', { width: 1080, height: 1920 }],
    ['without sound', { soundFrom: null }, 'video/mp4', { audioCodec: null, audioChannels: null }],
    ['with an edit list', { soundFrom: -0.1 }, 'video/mp4', { hasEditLists: true }],
    ['in fragments', { format: 'mp4-fragmented' as const }, 'video/mp4', {}],
    [
      'of Matroska',
      { format: 'mkv' as const },
      'video/x-matroska',
      { frameRate: null, indexFirst: null, hasEditLists: null },
    ],
  ])('accepts one %s', async (_, options, contentType, different) => {
    const found = await facts(await makeVideo(options), contentType);
    const { durationMs, ...others } = { ...GOOD, ...different };
    expect(found).toMatchObject(others);
    expect(Math.abs((found.durationMs ?? 0) - durationMs)).toBeLessThan(60);
  });

  it('accepts WebM, also a live recording that states no duration', async () => {
    const known = {
      kind: 'video',
      width: 320,
      height: 240,
      videoCodec: expect.stringMatching(/^vp0?9/),
      audioCodec: null,
    };
    expect(await facts(await makeWebm(), 'video/webm')).toMatchObject({ ...known, durationMs: 2_000 });
    // The last packet states no duration.
    expect(await facts(await makeWebm({ isLive: true }), 'video/webm')).toMatchObject({
      ...known,
      durationMs: 1_960,
    });
  });

  it('reads a video in hundreds of fragments to its end, and does not know the duration of a longer one', async () => {
    const file = await makeVideo({ format: 'mp4-fragmented', pictures: steadyPictures(0, 400) });
    const withoutList = file.subarray(0, contentOf(file, 'mfra') - 8);
    expect(withoutList.length).toBeGreaterThan(4e6);
    const found = await facts(withoutList, 'video/mp4');
    expect(found).toMatchObject({ ...GOOD, durationMs: expect.closeTo(400_000, -2) });
    const budget = { bytes: 2e6, reads: 200 };
    expect(await outcomeOf(withoutList, 'video/mp4', false, budget)).toMatchObject({
      output: { facts: { ...GOOD, durationMs: null, frameRate: null } },
    });
  });

  it('accepts MP4 and QuickTime under each other’s name, and stores the real one', async () => {
    expect(await inspect(await makeVideo({ format: 'mov' }), 'video/mp4')).toMatchObject({
      contentType: 'video/quicktime',
    });
    expect(await inspect(await makeVideo({ format: 'mkv' }), 'video/mp4')).toMatchObject(
      rejection('media_type_does_not_match'),
    );
  });

  it.each<[string, (good: Buffer, indexLast: Buffer) => Buffer | Promise<Buffer>]>([
    ['is truncated with its index first', (good) => cut(good)],
    ['is truncated by a few bytes', (good) => good.subarray(0, -10)],
    ['is truncated with its index last', (_, indexLast) => cut(indexLast)],
    ['has an index that is cut', (_, indexLast) => indexLast.subarray(0, -50)],
    ['has only its first box', (good) => good.subarray(0, contentOf(good, 'moov') - 8)],
    ['has a forged count of samples', (good) => forge(good, 'stts', 8, 0xffffffff)],
    ['has a forged count of sizes', (good) => forge(good, 'stsz', 8, 0xffffffff)],
    ['has a forged number of samples per chunk', (good) => forge(good, 'stsc', 12, 0xffffffff)],
    ['has huge samples', (good) => forge(good, 'stsz', 12, 0xfffffff0)],
    ['has a forged count of chunks', (good) => forge(good, 'stco', 4, 0xfffffff0)],
    ['has chunks after its end', (good) => forge(good, 'stco', 8, 0xf0000000)],
    ['has an index larger than the file', (good) => resize(good, 'moov', 0xfffffff0)],
    ['has a track larger than its index', (good) => resize(good, 'mdia', 0x7fffffff)],
    ['has a box of no size', (good) => resize(good, 'minf', 4)],
    ['is encrypted', (good) => forge(good, 'stsd', 12, 'encv')],
    ['has no codec', (good) => forge(good, 'stsd', 12, 'zzzz')],
    [
      'has an index of nothing',
      (good) =>
        Buffer.concat([
          good.subarray(0, contentOf(good, 'moov') - 8),
          box('moov'),
          box('mdat', Buffer.alloc(9)),
        ]),
    ],
    ['is a Matroska file that is cut', async () => cut(await makeVideo({ format: 'mkv' }))],
  ])('refuses one that %s', async (_, tamper) => {
    const file = await tamper(await makeVideo(), await makeVideo({ fastStart: false }));
    const contentType = file.subarray(0, 4).toString('hex') === '1a45dfa3' ? 'video/x-matroska' : 'video/mp4';
    const outcome = await outcomeOf(file, contentType);
    if (outcome.kind === 'done') expect(outcome.output).toMatchObject({ kind: 'rejected' });
    else expect(outcome.reason).toBe('out_of_memory');
    expect(served.sent).toBeLessThan(16e6);
    expect(await inspect(await makeVideo(), 'video/mp4')).toMatchObject({ kind: 'accepted' });
  });
});

describe('the mark of files that a model made', () => {
  const markOf = async (bytes: Buffer, contentType: string) => {
    const result = await inspect(bytes, contentType);
    if (result.kind === 'rejected') throw new Error(`${result.code}: ${result.message}`);
    return result.aiMark;
  };
  const xmp = (mark: 'generated' | 'composite' = 'generated') => xmpPacket(mark);
  const spaces = (bytes: number) => Buffer.concat([Buffer.alloc(bytes, ' '), xmp()]).toString();

  it.each<[string, string, () => Promise<Buffer>]>([
    ['a JPEG', 'image/jpeg', () => noise(50, 50).withXmp(xmp().toString()).jpeg().toBuffer()],
    ['a PNG', 'image/png', () => noise(50, 50).withXmp(xmp().toString()).png().toBuffer()],
    ['a WebP', 'image/webp', () => noise(50, 50).withXmp(xmp().toString()).webp().toBuffer()],
    ['an AVIF', 'image/avif', () => noise(50, 50).withXmp(xmp().toString()).avif({ effort: 0 }).toBuffer()],
    ['a GIF', 'image/gif', async () => markAsGenerated(await noise(50, 50).gif().toBuffer(), 'image/gif')],
    ['an MP4', 'video/mp4', async () => Buffer.concat([await makeVideo(), xmpBox(xmp())])],
    [
      'the user data of QuickTime',
      'video/quicktime',
      async () => withUserData(await movie(), box('XMP_', xmp())),
    ],
  ])('is read from %s', async (_, contentType, make) => {
    expect(await markOf(await make(), contentType)).toBe('generated');
  });

  it.each([
    ['JPEG', 'preview.jpg', () => noise(50, 50)],
    ['WebP', 'preview.webp', () => noise(50, 50).ensureAlpha(0.5)],
  ])('is the only metadata of the thumbnail and of a preview in %s', async (_, preview, make) => {
    const more = xmp('composite').toString().replace('</x:xmpmeta>', '<!-- PRIVATE-OWNER --></x:xmpmeta>');
    const picture = await make().withExif(GPS).withXmp(more).png().toBuffer();
    expect(picture.includes('PRIVATE-OWNER')).toBe(true);
    expect(await markOf(picture, 'image/png')).toBe('composite');
    for (const name of [preview, 'thumbnail.webp']) {
      const bytes = await derived(name);
      const metadata = await sharp(bytes).metadata();
      expect(metadata.xmp?.toString()).toBe(xmp('composite').toString());
      expect([metadata.exif, bytes.includes('PRIVATE-OWNER')]).toEqual([undefined, false]);
    }
  });

  it('is none in files without it, and not known of Matroska', async () => {
    expect(await markOf(await jpeg(), 'image/jpeg')).toBe('none');
    expect(await markOf(await noise(50, 50).gif().toBuffer(), 'image/gif')).toBe('none');
    expect(await markOf(await makeVideo(), 'video/mp4')).toBe('none');
    expect(await markOf(await makeVideo({ format: 'mkv' }), 'video/x-matroska')).toBeNull();
  });

  it.each<[string, string, () => Promise<Buffer>, string | null]>([
    ['two claims', 'video/mp4', () => videoWith(xmpBox(xmp('composite')), xmpBox(xmp())), 'generated'],
    [
      'more packets than are read',
      'video/mp4',
      () => videoWith(...Array<Buffer>(9).fill(xmpBox(Buffer.alloc(0)))),
      null,
    ],
    [
      'more boxes than are read',
      'video/mp4',
      () => videoWith(...Array<Buffer>(99).fill(box('free')), xmpBox(xmp())),
      null,
    ],
    ['a packet of megabytes', 'video/mp4', () => videoWith(xmpBox(Buffer.from(spaces(2e6)))), null],
    ['a packet without content', 'video/mp4', () => videoWith(box('uuid')), 'none'],
    ['another one', 'video/mp4', () => videoWith(box('uuid', Buffer.alloc(99))), 'none'],
    [
      'a packet that is packed',
      'image/png',
      () => noise(50, 50).withXmp(spaces(20e6)).png().toBuffer(),
      null,
    ],
    ['a large packet', 'image/webp', () => noise(50, 50).withXmp(spaces(2e6)).webp().toBuffer(), null],
    ['a packet of nothing but the beginning', 'image/webp', () => packed(':DigitalSourceType '), 'none'],
    ['a packet that ends inside', 'image/webp', () => packed('<a:DigitalSourceType>x'), 'none'],
  ])('is looked for in %s within bounds', async (_, contentType, make, mark) => {
    expect(await markOf(await make(), contentType)).toBe(mark);
  });

  const movie = () => makeVideo({ format: 'mov', fastStart: false });
  const videoWith = async (...boxes: Buffer[]) => Buffer.concat([await makeVideo(), ...boxes]);
  const packed = (text: string) =>
    noise(50, 50)
      .withXmp(text.repeat(Math.floor(1e6 / text.length)))
      .webp()
      .toBuffer();
  /** The index is last. */
  const withUserData = (file: Buffer, content: Buffer) => {
    const data = box('udta', content);
    const at = contentOf(file, 'moov') - 8;
    const changed = Buffer.concat([file, data]);
    changed.writeUInt32BE(file.readUInt32BE(at) + data.length, at);
    return changed;
  };
});

describe('memory of the worker', () => {
  it('is not that of a parser that a forged index makes fill its heap', async () => {
    const outcome = await outcomeOf(await endlessIndex(), 'video/mp4');
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'out_of_memory' });
  });

  const megabytes = () => process.memoryUsage.rss() / 1e6;

  it('stays flat over hostile files', async () => {
    const good = await makeVideo();
    const files: readonly (readonly [Buffer, string])[] = [
      [blackPng(9_900, 9_900), 'image/png'],
      [blackPng(16_000, 16_000), 'image/png'],
      [await hugeGif(), 'image/gif'],
      [await endlessIndex(), 'video/mp4'],
      [forge(good, 'stsz', 12, 0xfffffff0), 'video/mp4'],
    ];
    const pass = async () => {
      for (const [bytes, contentType] of files) await outcomeOf(bytes, contentType);
    };
    await pass();
    const before = megabytes();
    await pass();
    expect(megabytes() - before).toBeLessThan(64);
  });
});
