import { contentsAt, MAX_CONTENTS } from '../../container/iso-boxes.js';

/** A last chunk that is not full, and files of careless writers, name more samples than there are. A forged table names 2³². */
const MORE_SAMPLES = 65_536;
/** Of a table that is read: 250 000 entries of 8 bytes. What is behind them is left to the time limit. */
const MAX_TABLE_BYTES = 2_000_000;

/**
 * Whether the sample tables of each track (ISO/IEC 14496-12, sections 8.6.1 and 8.7) name about as many samples as there are sizes. A
 * demultiplexer makes as many steps as they name.
 * @param tables contents of `stbl`
 */
export const areSampleTablesPlausible = (tables: readonly Buffer[]): boolean =>
  tables.length < MAX_CONTENTS && tables.every(isPlausible);

function isPlausible(table: Buffer): boolean {
  const box = (type: string) => contentsAt(table, type)[0];
  // Without sizes there are no samples: the file is in fragments, or is refused later.
  const samples = numberAt(box('stsz') ?? box('stz2'), 2);
  const most = 2 * samples + MORE_SAMPLES;
  const times = [...entriesOf(box('stts'), 2), ...entriesOf(box('ctts'), 2)];
  if (times.some(([count = 0]) => count > most)) return false;
  const runs = entriesOf(box('stsc'), 3);
  if (runs.some(([, perChunk = 0]) => perChunk > most)) return false;
  return samplesInChunks(runs, numberAt(box('stco') ?? box('co64'), 1)) <= most;
}

/** An entry is the number of its first chunk, from 1, and samples per chunk until the first of the next entry. */
const samplesInChunks = (runs: readonly (readonly number[])[], chunks: number): number =>
  runs.reduce((sum, [first = 0, perChunk = 0], index) => {
    const end = Math.min(runs[index + 1]?.[0] ?? Infinity, chunks + 1);
    return sum + Math.max(0, end - first) * perChunk;
  }, 0);

/** The entries of `size` 32-bit numbers that are there in whole, after version, flags and their number. */
function entriesOf(content: Buffer | undefined, size: number): number[][] {
  const available = Math.floor((Math.min(content?.length ?? 0, MAX_TABLE_BYTES) / 4 - 2) / size);
  const whole = Math.max(0, Math.min(numberAt(content, 1), available));
  return Array.from({ length: whole }, (_, entry) =>
    Array.from({ length: size }, (_, index) => numberAt(content, 2 + entry * size + index)),
  );
}

/** A 32-bit number by its index; 0 where there is none. */
const numberAt = (content: Buffer | undefined, index: number): number =>
  content && content.length >= 4 * (index + 1) ? content.readUInt32BE(4 * index) : 0;
