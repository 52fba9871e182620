import type { Source } from '../../isolation/source.js';
import { boxesIn, readBoxes } from './iso-boxes.js';
import type { SampleTable } from './sample-tables.js';

/** Of a sample description: version, flags, number of entries. */
const LIST_HEAD_BYTES = 8;
/** Of a video sample entry, before its boxes. */
const ENTRY_HEAD_BYTES = 78;
const PROGRESSIVE = 1;
const INTERLACED = 2;

/**
 * Whether a sample entry states fields: the first byte of `fiel` is their number in a picture (QuickTime File Format, "Field handling").
 * @returns null when none states it
 */
export async function hasFieldsInIso(
  source: Source,
  tables: readonly SampleTable[],
): Promise<boolean | null> {
  const counts: number[] = [];
  for (const { content, end } of tables.flat().filter(({ type }) => type === 'stsd'))
    for (const entry of await readBoxes(source, { start: content + LIST_HEAD_BYTES, end })) {
      const boxes = { ...entry, content: entry.content + ENTRY_HEAD_BYTES };
      for (const fields of await boxesIn(source, boxes, 'fiel'))
        counts.push(...(await source.read(fields.content, fields.content + 1)));
    }
  return counts.includes(INTERLACED) ? true : counts.includes(PROGRESSIVE) ? false : null;
}
