import { editsChangeTheTrack } from './iso-layout.js';

type Edit = readonly [duration: number, mediaTime: number, rate: number];

const box = (type: string, content: Buffer): Buffer => {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(content.length + 8);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, content]);
};

/** @param count as the list states it */
const list = (version: 0 | 1, edits: readonly Edit[], count = edits.length): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt8(version, 0);
  head.writeUInt32BE(count, 4);
  const entries = edits.map(([duration, mediaTime, rate]) => {
    const entry = Buffer.alloc(version === 1 ? 20 : 12);
    if (version === 1) {
      entry.writeBigUInt64BE(BigInt(duration), 0);
      entry.writeBigInt64BE(BigInt(mediaTime), 8);
    } else {
      entry.writeUInt32BE(duration, 0);
      entry.writeInt32BE(mediaTime, 4);
    }
    entry.writeInt32BE(rate * 0x10000, entry.length - 4);
    return entry;
  });
  return box('elst', Buffer.concat([head, ...entries]));
};

const changes = (...boxes: readonly Buffer[]): boolean => editsChangeTheTrack(Buffer.concat(boxes));

describe('an edit list', () => {
  it.each([
    ['shows the track from its first sample on', [[90_000, 0, 1]], false],
    ['has no entry', [], false],
    ['starts later', [[90_000, 1_024, 1]], true],
    ['shows nothing at first', [[1_000, -1, 1]], true],
    ['has another speed', [[90_000, 0, 0.5]], true],
    ['has several segments', [...Array<Edit>(3).fill([90_000, 0, 1])], true],
  ] as readonly [string, readonly Edit[], boolean][])('that %s', (_, edits, expected) => {
    for (const version of [0, 1] as const) expect(changes(box('edts', list(version, edits)))).toBe(expected);
  });

  it('is not believed when it states more entries than it has', () => {
    expect(changes(box('edts', list(0, [[90_000, 0, 1]], 0xffffffff)))).toBe(false);
    expect(changes(box('edts', box('elst', Buffer.alloc(3))))).toBe(false);
  });

  it('is absent in most tracks', () => {
    expect(changes(box('mdia', Buffer.alloc(0)))).toBe(false);
  });
});
