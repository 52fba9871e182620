import { box } from '../../../../test/support/hostile-files/videos.js';
import { readIsoLayout } from './iso-layout.js';
import { hasFieldsInMatroska } from './matroska.js';

const sourceOf = (file: Buffer) => ({
  bytes: file.length,
  read: (start: number, end: number) => Promise.resolve(new Uint8Array(file.subarray(start, end))),
  stream: () => (async function* () {})(),
});

/** A track whose sample description has one entry for each number of fields; null: it states none. */
const track = (...counts: readonly (number | null)[]) => trackOf('vide', counts);
const trackOf = (type: string, counts: readonly (number | null)[]) => {
  const entries = counts.map((count) => {
    const fields = count === null ? [] : [box('fiel', Buffer.from([count, 9]))];
    return box('ap4h', Buffer.alloc(78), box('colr', Buffer.alloc(10)), ...fields, Buffer.alloc(4));
  });
  const table = box('stbl', box('stts', Buffer.alloc(8)), box('stsd', Buffer.alloc(8), ...entries));
  const handler = box('hdlr', Buffer.alloc(8), Buffer.from(type, 'latin1'), Buffer.alloc(13));
  return box('trak', box('mdia', handler, box('minf', table)));
};

/** An element of EBML with a short size. */
const element = (id: string, ...contents: readonly Buffer[]) => {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from(id, 'hex'), Buffer.from([0x80 | content.length]), content]);
};

describe('a container', () => {
  it.each([
    ['fields', [track(2)], true],
    ['fields in one of its tracks', [track(null), track(1, 2)], true],
    ['whole pictures', [track(1)], false],
    ['nothing', [track(null), track()], null],
    ['nothing that is known', [track(7)], null],
    ['nothing, when only bytes of a sound look so', [trackOf('soun', [2])], null],
  ] as const)('of QuickTime states %s', async (_, tracks, expected) => {
    const layout = await readIsoLayout(sourceOf(box('moov', ...tracks)));
    expect(layout?.hasFields).toBe(expected);
  });

  it.each([
    ['fields', '9a8101', true],
    ['fields in a long number', '9a83000001', true],
    ['whole pictures', '9a8102', false],
    ['nothing', 'b08110', null],
    ['nothing that is known', '9a8100', null],
    ['nothing, in an empty number', '9a80', null],
    ['nothing, in a cut number', '9a81', null],
  ])('of Matroska states %s', async (_, flag, expected) => {
    const sound = element('ae', element('e1', Buffer.from('9a8101', 'hex')));
    const picture = element('ae', element('e0', Buffer.from('ba8110', 'hex'), Buffer.from(flag, 'hex')));
    const tracks = element('1654ae6b', sound, picture);
    const segment = Buffer.concat([Buffer.from('18538067ff', 'hex'), element('ec', Buffer.alloc(9)), tracks]);
    const file = Buffer.concat([element('1a45dfa3'), segment]);
    expect(await hasFieldsInMatroska(sourceOf(file))).toBe(expected);
  });
});
