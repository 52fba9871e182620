import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferSource, Input, MP4 } from 'mediabunny';
import {
  h264Picture,
  makeVideo,
  readPackets,
  reorderedPictures,
  steadyPictures,
  type VideoFile,
  withIndex,
} from '../../../../test/support/video-files.js';
import type { RenderedFile, RenderOutput } from '../domain/render.types.js';
import type { AiMark } from '#libs/content';
import { shownPicture } from '../../container/shown-picture.js';
import { xmpBox } from '../../marks/mp4.js';
import { render } from '../render.js';
import { type Box, parseBoxes } from './index-boxes.js';

const AAC_MS = (1024 / 48_000) * 1000;

describe('a video that fits a network', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'render-video-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const renderBytes = (
    bytes: Buffer,
    maxBytes = 50_000_000,
    aiMark: AiMark | null = null,
  ): Promise<RenderOutput> =>
    render({
      source: { bytes: bytes.length, read: (start, end) => Promise.resolve(bytes.subarray(start, end)) },
      kind: 'video',
      spec: { kind: 'video', container: 'mp4', maxBytes },
      focus: { x: 0.5, y: 0.5 },
      aiMark,
      folder,
    });
  const rendered = async (source: Buffer, aiMark?: AiMark) => {
    const output = (await renderBytes(source, undefined, aiMark)) as RenderedFile;
    expect(output).toMatchObject({ kind: 'rendered', contentType: 'video/mp4' });
    const data = await readFile(output.path);
    expect(output).toMatchObject({
      bytes: data.length,
      sha256: createHash('sha256').update(data).digest('hex'),
    });
    return { output, data, packets: await readPackets(data), before: await readPackets(source) };
  };

  const sources: readonly [string, VideoFile][] = [
    ['MP4 with its index first', {}],
    ['MP4 with its index at the end', { fastStart: false }],
    ['a fragmented MP4', { format: 'mp4-fragmented' }],
    ['QuickTime', { format: 'mov', fastStart: false }],
    ['Matroska', { format: 'mkv' }],
    ['a video with B pictures', { pictures: reorderedPictures(2) }],
    ['a video without sound', { soundFrom: null }],
  ];

  it.each(sources)('has the same packets as %s, the index first, and no edit list', async (_, file) => {
    const { data, packets, before } = await rendered(await makeVideo(file));

    expect(packets).toEqual(before);
    expect(before.video).toHaveLength(file.pictures?.length ?? 50);
    expect(typesOf(parseBoxes(data, 6))).toEqual(['ftyp', 'moov', 'mdat']);
    expect(allTypes(data)).not.toContain('elst');
  });

  it('says in a last box that a model made it when the source does, and nothing else of its XMP', async () => {
    const plain = await makeVideo({ format: 'mov' });
    const source = Buffer.concat([plain, xmpBox(Buffer.from('<secret/>'))]);

    const { data, packets, before } = await rendered(source, 'generated');

    expect(packets).toEqual(before);
    const boxes = parseBoxes(data, 6);
    expect(typesOf(boxes)).toEqual(['ftyp', 'moov', 'mdat', 'uuid']);
    const content = boxes.at(-1)?.content ?? Buffer.alloc(0);
    expect(content.toString('hex', 0, 16)).toBe('be7acfcb97a942e89c71999491e3afac');
    expect(content.toString()).toContain('digitalsourcetype/trainedAlgorithmicMedia<');
    expect(data.includes('secret')).toBe(false);
    expect(await renderBytes(source, data.length - 1, 'generated')).toMatchObject({ code: 'cannot_fit' });
    expect(typesOf(parseBoxes((await rendered(source, 'none')).data, 6))).toEqual(['ftyp', 'moov', 'mdat']);
  });

  it('leaves one file behind', async () => {
    await rendered(await makeVideo());
    expect(await readdir(folder)).toEqual(['rendition.mp4']);
  });

  it('keeps the shape of its pixels, stated by its container or by its codec', async () => {
    for (const picture of [
      { ...h264Picture({}), displayAspectWidth: 16, displayAspectHeight: 9 },
      h264Picture({ ratio: [64, 45] }),
    ]) {
      const { output, data } = await rendered(await makeVideo({ picture }));
      expect(output).toMatchObject({ width: 1_024, height: 576 });
      const input = new Input({ formats: [MP4], source: new BufferSource(data) });
      const track = await input.getPrimaryVideoTrack();
      const shown = track && (await shownPicture(track));
      expect(shown).toMatchObject({ width: 1_024, height: 576, pixelAspectRatio: 1.4222 });
    }
  });

  it('keeps the rotation, and states the size as shown and the duration', async () => {
    const { output, data } = await rendered(await makeVideo({ rotation: 90, soundFrom: null }));

    expect(output).toMatchObject({ width: 1080, height: 1920, durationMs: 2000 });
    const input = new Input({ formats: [MP4], source: new BufferSource(data) });
    expect(await (await input.getPrimaryVideoTrack())?.getRotation()).toBe(90);
  });

  it('has no metadata, no times of creation and no track of places, nor their bytes', async () => {
    const source = withPrivateMetadata(await makeVideo({ fastStart: false }));
    expect(source.includes('+52.5200+013.4050')).toBe(true);
    expect(source.includes('PLACES-IN-MDAT')).toBe(true);

    const { data, packets, before } = await rendered(source);

    expect(packets).toEqual(before);
    expect(data.includes('+52.5200')).toBe(false);
    expect(data.includes('PLACES-IN-MDAT')).toBe(false);
    expect(allTypes(data)).not.toEqual(expect.arrayContaining(['udta']));
    expect(allTypes(data).filter((type) => type === 'trak')).toHaveLength(2);
    for (const header of ['mvhd', 'tkhd', 'mdhd']) expect(timesIn(data, header)).toEqual([0]);
  });

  it('leaves out sound packets that an edit list hides, and keeps sound and picture in sync', async () => {
    const { packets, before } = await rendered(await makeVideo({ soundFrom: -AAC_MS / 1000 }));

    expect(before.audio[0]?.at).toBeCloseTo(-AAC_MS, 0);
    expect(packets.video).toEqual(before.video);
    expect(packets.audio).toEqual(before.audio.slice(1));
  });

  it('shows the first picture longer when the sound starts first', async () => {
    const { packets, before } = await rendered(await makeVideo({ pictures: steadyPictures(0.5, 2) }));

    expect(before.video[0]?.at).toBe(500);
    expect(packets.audio).toEqual(before.audio);
    expect(packets.video).toEqual([{ ...before.video[0], at: 0 }, ...before.video.slice(1)]);
  });

  it('puts silence before sound that starts later, and moves the picture by less than a packet', async () => {
    const { packets, before } = await rendered(await makeVideo({ soundFrom: 0.5 }));

    const added = packets.audio.length - before.audio.length;
    expect(added).toBe(Math.ceil((500 - 10) / AAC_MS));
    expect(new Set(packets.audio.slice(0, added).map(({ sha1 }) => sha1)).size).toBe(1);
    const moved = added * AAC_MS - 500;
    expect(Math.abs(moved)).toBeLessThan(AAC_MS);
    const [sound, picture] = [packets.audio.at(-1), packets.video.at(-1)];
    const [soundBefore, pictureBefore] = [before.audio.at(-1), before.video.at(-1)];
    const shift = (sound?.at ?? 0) - (soundBefore?.at ?? 0);
    expect(Math.abs(shift - ((picture?.at ?? 0) - (pictureBefore?.at ?? 0)))).toBeLessThanOrEqual(10);
    expect(packets.video[0]?.at).toBe(0);
  });

  it('never shows pictures that an edit list hides', async () => {
    // Key pictures at -1, 0 and 1 s: the edit list begins at the second one.
    const { packets, before } = await rendered(await makeVideo({ pictures: steadyPictures(-1, 3) }));

    expect(before.video[0]?.at).toBe(-1000);
    expect(packets.video).toEqual(before.video.slice(25));
    expect(packets.audio).toEqual(before.audio);
  });

  it('leaves out pictures after the first key picture that refer to hidden ones', async () => {
    // An open group: two pictures before the key picture at 0 follow it in decode order.
    const leading = [-0.08, -0.04].map((at) => ({ at, isKey: false }));
    const hidden = steadyPictures(-1, 1).slice(0, 23);
    const [key, ...rest] = steadyPictures(0, 2);
    const pictures = [...hidden, key ?? { at: 0, isKey: true }, ...leading, ...rest];
    const { packets, before } = await rendered(await makeVideo({ pictures, soundFrom: null }));

    expect(before.video).toHaveLength(75);
    expect(packets.video).toEqual(before.video.filter(({ at }) => at >= 0));
  });

  it('begins at the next key picture after a cut between two, and cuts the sound with it', async () => {
    const { packets, before } = await rendered(await makeVideo({ pictures: steadyPictures(-0.4, 3) }));

    const kept = before.video.filter(({ at }) => at >= 600);
    expect(packets.video.map(({ sha1 }) => sha1)).toEqual(kept.map(({ sha1 }) => sha1));
    const offset =
      (before.audio.find(({ sha1 }) => sha1 === packets.audio[0]?.sha1)?.at ?? 0) -
      (packets.audio[0]?.at ?? 0);
    expect(Math.abs(offset - 600)).toBeLessThanOrEqual(AAC_MS);
  });

  it('moves a video that starts late to 0', async () => {
    const { packets } = await rendered(
      await makeVideo({ format: 'mkv', pictures: steadyPictures(5, 2), soundFrom: 5 }),
    );
    expect([packets.video[0]?.at, packets.audio[0]?.at, packets.video[25]?.at]).toEqual([0, 0, 1000]);
  });

  it('ends where the edit list ends', async () => {
    const source = withEdits(await makeVideo({ soundFrom: null, fastStart: false }), [[1_000, 0]]);

    const { packets, before } = await rendered(source);

    expect(before.video).toHaveLength(50);
    expect(packets.video).toHaveLength(25);
  });

  it.each([
    ['needs_encoding', () => makeVideo({ soundCodec: 'mp3' })],
    ['needs_encoding', () => makeVideo({ pictures: steadyPictures(-1.5, 3).map(onlyFirstIsKey) })],
    [
      'needs_encoding',
      async () =>
        withEdits(await makeVideo({ fastStart: false }), [
          [500, 0],
          [500, 12_800],
        ]),
    ],
    ['not_readable', async () => (await makeVideo({ fastStart: false })).subarray(0, 5_000)],
    ['not_readable', async () => (await makeVideo()).subarray(0, -1_000)],
    ['not_readable', () => Promise.resolve(Buffer.from('<html>not a video</html>'))],
  ])('answers %s for good', async (code, source) => {
    expect(await renderBytes(await source())).toMatchObject({ kind: 'failed', code });
  });

  it('answers for good that a duration cannot be stored', async () => {
    const source = withIndex(await makeVideo({ soundFrom: null }), (moov) =>
      replace(replace(moov, 'mdhd', withUint32(12, 1)), 'stts', withUint32(12, 80_000_000)),
    );
    expect(await renderBytes(source)).toMatchObject({ kind: 'failed', code: 'not_readable' });
  });

  it('answers that a video has too many bytes', async () => {
    expect(await renderBytes(await makeVideo(), 10_000)).toMatchObject({
      kind: 'failed',
      code: 'cannot_fit',
    });
  });

  it('reads the source in large blocks, each about once', async () => {
    const bytes = await makeVideo({ bytes: 200_000, fastStart: false });
    const reads: number[] = [];
    const read = (start: number, end: number) => {
      reads.push(end - start);
      return Promise.resolve(bytes.subarray(start, end));
    };
    const spec = { kind: 'video', container: 'mp4', maxBytes: 50_000_000 } as const;
    await render({
      source: { bytes: bytes.length, read },
      kind: 'video',
      spec,
      focus: { x: 0.5, y: 0.5 },
      aiMark: null,
      folder,
    });
    expect(reads.reduce((sum, each) => sum + each, 0)).toBeLessThan(bytes.length * 1.5);
    expect(reads.length).toBeLessThan(20);
  });
});

const onlyFirstIsKey = ({ at }: { at: number }, index: number) => ({ at, isKey: index === 0 });
const typesOf = (boxes: readonly Box[]): string[] => boxes.map(({ type }) => type);
const flat = (boxes: readonly Box[]): Box[] => boxes.flatMap((box) => [box, ...flat(box.children ?? [])]);
const allTypes = (file: Buffer): string[] => typesOf(flat(parseBoxes(file)));

/** Times of creation and modification in all headers of a type. */
const timesIn = (file: Buffer, type: string): number[] => [
  ...new Set(
    flat(parseBoxes(file))
      .filter((box) => box.type === type)
      .flatMap(({ content }) => [content.readUInt32BE(4), content.readUInt32BE(8)]),
  ),
];

const leaf = (type: string, content: Buffer | string): Box => ({
  type,
  content: Buffer.from(content),
  children: null,
});

/** A place in `udta`, and a track of timed metadata whose samples are in a second `mdat`. */
function withPrivateMetadata(file: Buffer): Buffer {
  const places = leaf('mdat', 'PLACES-IN-MDAT');
  const added = withIndex(file, (moov) => {
    const sound = moov.children?.filter(({ type }) => type === 'trak').at(-1) as Box;
    const track = replace(sound, 'hdlr', (content) => {
      const changed = Buffer.from(content);
      changed.write('meta', 8, 'latin1');
      return changed;
    });
    const place = leaf(
      'udta',
      Buffer.concat([
        Buffer.from([0, 0, 0, 30]),
        Buffer.from('\xa9xyz\0\x12\x15\xc7+52.5200+013.4050/', 'latin1'),
      ]),
    );
    return { ...moov, children: [...(moov.children ?? []), track, place] };
  });
  const length = Buffer.alloc(4);
  length.writeUInt32BE(places.content.length + 8);
  return Buffer.concat([added, length, Buffer.from('mdat'), places.content]);
}

function replace(box: Box, type: string, change: (content: Buffer) => Buffer): Box {
  if (box.children) return { ...box, children: box.children.map((child) => replace(child, type, change)) };
  return box.type === type ? { ...box, content: change(box.content) } : box;
}

const withUint32 = (offset: number, value: number) => (content: Buffer) => {
  const changed = Buffer.from(content);
  changed.writeUInt32BE(value, offset);
  return changed;
};

/** @param edits duration in milliseconds, and media time in the time scale of the track */
function withEdits(file: Buffer, edits: readonly (readonly [number, number])[]): Buffer {
  return withIndex(file, (moov) => {
    const header = flat([moov]).find(({ type }) => type === 'mvhd') as Box;
    const scale = header.content.readUInt32BE(12);
    const content = Buffer.alloc(8 + edits.length * 12);
    content.writeUInt32BE(edits.length, 4);
    for (const [index, [ms, mediaTime]] of edits.entries()) {
      content.writeUInt32BE((ms * scale) / 1000, 8 + index * 12);
      content.writeInt32BE(mediaTime, 12 + index * 12);
      content.writeInt32BE(0x10000, 16 + index * 12);
    }
    const list: Box = { type: 'edts', content: Buffer.alloc(0), children: [leaf('elst', content)] };
    const children = (moov.children ?? []).map((box) =>
      box.type === 'trak' ? { ...box, children: [...(box.children ?? []), list] } : box,
    );
    return { ...moov, children };
  });
}
