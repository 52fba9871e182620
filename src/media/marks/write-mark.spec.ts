import fc from 'fast-check';
import sharp from 'sharp';
import { makeVideo, readPackets } from '../../../test/support/video-files.js';
import { CannotBeMarked, markAsGenerated, MAX_MARK_BYTES, writeMark } from './write-mark.js';
import { xmpInGif } from './gif.js';

const GENERATED = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
const PRIVATE = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret/></x:xmpmeta>';
const DELAYS = [40, 100, 250];

/** By type: a picture with XMP of its own where sharp can write it. */
const PICTURES: readonly (readonly [string, string, () => Promise<Buffer>])[] = [
  [
    'a JPEG',
    'image/jpeg',
    () =>
      noise(3)
        .withExif({ IFD0: { Copyright: 'A' } })
        .withXmp(PRIVATE)
        .jpeg()
        .toBuffer(),
  ],
  ['a progressive JPEG', 'image/jpeg', () => noise(3).jpeg({ progressive: true }).toBuffer()],
  ['a PNG', 'image/png', () => noise(3).withXmp(PRIVATE).png().toBuffer()],
  ['an interlaced PNG with alpha', 'image/png', () => noise(4).png({ progressive: true }).toBuffer()],
  ['a WebP of one chunk', 'image/webp', () => noise(3).webp().toBuffer()],
  ['a WebP without losses, with alpha', 'image/webp', () => noise(4).webp({ lossless: true }).toBuffer()],
  ['a WebP with metadata', 'image/webp', () => noise(3).withXmp(PRIVATE).webp().toBuffer()],
  ['a moving WebP', 'image/webp', () => moving().webp({ delay: DELAYS, loop: 2 }).toBuffer()],
];

describe('the mark of a file that a model made', () => {
  it.each(PICTURES)('is the only XMP of %s, whose pixels stay', async (_, contentType, make) => {
    const bytes = await make();

    const marked = markAsGenerated(bytes, contentType);

    const { xmp, ...others } = await propertiesOf(marked);
    expect(xmp?.toString()).toContain(`DigitalSourceType>${GENERATED}<`);
    expect(countOf(marked, 'xmpmeta')).toBe(2);
    expect(await pixelsOf(marked)).toEqual(await pixelsOf(bytes));
    const { xmp: _before, ...before } = await propertiesOf(bytes);
    expect(others).toEqual(before);
    expect(marked.length - bytes.length).toBeLessThanOrEqual(MAX_MARK_BYTES);
  });

  it.each([
    ['a moving GIF', () => moving().gif({ delay: DELAYS, loop: 2 }).toBuffer()],
    ['a GIF without a trailer', async () => (await moving().gif().toBuffer()).subarray(0, -1)],
    [
      'a GIF of 1987',
      async () => Buffer.from((await still()).toString('latin1').replace('GIF89a', 'GIF87a'), 'latin1'),
    ],
  ])('is in an application extension of %s, whose frames stay', async (_, make) => {
    const bytes = await make();

    const once = markAsGenerated(bytes, 'image/gif');
    const marked = markAsGenerated(once, 'image/gif');

    expect(marked.equals(once)).toBe(true);
    expect(marked.toString('latin1', 0, 6)).toBe('GIF89a');
    expect(applicationsIn(marked).get('XMP DataXMP')).toContain(`DigitalSourceType>${GENERATED}<`);
    expect(xmpInGif(marked)?.toString()).toMatch(/^<\?xpacket begin="\uFEFF".*<\?xpacket end="r"\?>$/);
    expect(await pixelsOf(marked)).toEqual(await pixelsOf(bytes));
    const { delay, loop } = await sharp(marked, { animated: true }).metadata();
    const before = await sharp(bytes, { animated: true }).metadata();
    expect([delay, loop]).toEqual([before.delay, before.loop]);
  });

  it('is in a box at the end of an MP4, whose packets stay where they are', async () => {
    const bytes = await makeVideo();
    const boxOf = (packet: string) => {
      const content = Buffer.concat([
        Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'),
        Buffer.from(packet),
      ]);
      const header = Buffer.from('0000uuid');
      header.writeUInt32BE(content.length + 8);
      return Buffer.concat([header, content]);
    };

    const marked = writeMark(Buffer.concat([bytes, boxOf(PRIVATE)]), 'video/mp4', 'composite');

    expect(marked.subarray(0, bytes.length).equals(bytes)).toBe(true);
    const at = marked.lastIndexOf('uuid') - 4;
    expect(marked.readUInt32BE(at)).toBe(marked.length - at);
    expect(marked.toString('hex', at + 8, at + 24)).toBe('be7acfcb97a942e89c71999491e3afac');
    expect(marked.toString('utf8', at + 24)).toContain('/compositeWithTrainedAlgorithmicMedia<');
    expect(marked.includes('secret')).toBe(false);
    expect(await readPackets(marked)).toEqual(await readPackets(bytes));
  });

  it('cannot be put into a file of another type', async () => {
    const png = await noise(3).png().toBuffer();
    const gif = Buffer.from('GIF89a');
    for (const type of ['image/jpeg', 'image/webp', 'image/gif', 'video/mp4', 'image/avif', 'text/html'])
      expect(() => markAsGenerated(png, type)).toThrow(CannotBeMarked);
    expect(() => markAsGenerated(gif, 'image/gif')).toThrow(CannotBeMarked);
  });

  it('is refused, and nothing else happens, for damaged bytes', async () => {
    const files = await Promise.all(PICTURES.map(async ([, type, make]) => [type, await make()] as const));
    const all = [
      ...files,
      ['image/gif', await still()],
      ['video/mp4', markAsGenerated(Buffer.from('0000000866726565', 'hex'), 'video/mp4')],
    ] as const;
    const damage = fc.record({
      file: fc.constantFrom(...all),
      length: fc.double({ min: 0, max: 1, noNaN: true }),
      at: fc.nat(200),
      byte: fc.nat(255),
    });
    fc.assert(
      fc.property(damage, ({ file: [type, bytes], length, at, byte }) => {
        const damaged = Buffer.from(bytes.subarray(0, Math.round(bytes.length * length)));
        if (at < damaged.length) damaged[at] = byte;
        try {
          expect(markAsGenerated(damaged, type).length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(CannotBeMarked);
        }
      }),
    );
  });
});

function noise(channels: 3 | 4) {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const background = { r: 0, g: 0, b: 0, ...(channels === 4 && { alpha: 0.5 }) };
  return sharp({ create: { width: 33, height: 17, channels: 3, background: '#000', noise } })
    .composite(
      channels === 4
        ? [{ input: { create: { width: 9, height: 9, channels, background } }, blend: 'dest-out' }]
        : [],
    )
    .ensureAlpha(channels === 4 ? 1 : undefined);
}

/** Three frames. */
function moving() {
  const frames = Buffer.alloc(32 * 72 * 3, 0);
  for (let at = 0; at < frames.length; at += 1) frames[at] = (at * 7 + Math.floor(at / 999)) % 251;
  return sharp(frames, { raw: { width: 32, height: 72, channels: 3, pageHeight: 24 } });
}

const still = () =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: '#a40' } })
    .gif()
    .toBuffer();

/** Of a picture, without those of its bytes. */
async function propertiesOf(bytes: Buffer) {
  const { size: _size, xmpAsString: _xmp, ...properties } = await sharp(bytes).metadata();
  return properties;
}

const countOf = (bytes: Buffer, text: string): number => bytes.toString('latin1').split(text).length - 1;

const pixelsOf = (bytes: Buffer) => sharp(bytes, { animated: true }).raw().toBuffer();

/** Of a GIF: content of the application extensions by name, with the lengths of their sub-blocks. Reads as GIF89a, section 26. */
function applicationsIn(gif: Buffer): Map<string, string> {
  const table = (flags: number) => (flags & 0x80 ? 3 * (2 << (flags & 7)) : 0);
  const found = new Map<string, string>();
  let at = 13 + table(gif[10] as number);
  const skip = () => {
    while (gif[at] !== 0) at += 1 + (gif[at] as number);
    at += 1;
  };
  while (gif[at] === 0x21 || gif[at] === 0x2c) {
    const start = at;
    at += gif[start] === 0x21 ? 2 : 11 + table(gif[start + 9] as number);
    skip();
    if (gif.readUInt16BE(start) === 0x21ff)
      found.set(gif.toString('latin1', start + 3, start + 14), gif.toString('utf8', start + 14, at));
  }
  return found;
}
