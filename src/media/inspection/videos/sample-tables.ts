import type { Source } from '../../isolation/source.js';
import type { BoxPlace } from './iso-boxes.js';

/** A last chunk that is not full, and files of careless writers, name more samples than there are. A forged table names 2³². */
const MORE_SAMPLES = 65_536;
/** Of a table that is read: 250 000 entries of 8 bytes. What is behind them is left to the time limit. */
const MAX_TABLE_BYTES = 2_000_000;

/** The boxes of the sample table (`stbl`) of a track. */
export type SampleTable = readonly BoxPlace[];

/**
 * Whether the sample tables of each track (ISO/IEC 14496-12, sections 8.6.1 and 8.7) name about as many samples as there are sizes. A
 * demultiplexer makes as many steps as they name.
 */
export async function areSampleTablesPlausible(
  source: Source,
  tables: readonly SampleTable[],
): Promise<boolean> {
  for (const table of tables) if (!(await isPlausible(source, table))) return false;
  return true;
}

async function isPlausible(source: Source, table: SampleTable): Promise<boolean> {
  const samples = await samplesOf(source, table);
  // Without sizes there are no samples: the file is in fragments, or is refused later.
  const most = 2 * (samples ?? 0) + MORE_SAMPLES;
  const times = [
    ...(await entriesOf(source, table, 'stts', 2)),
    ...(await entriesOf(source, table, 'ctts', 2)),
  ];
  if (times.some(([count = 0]) => count > most)) return false;
  const runs = await entriesOf(source, table, 'stsc', 3);
  const chunks = await chunksOf(source, table);
  if (runs.some(([, perChunk = 0]) => perChunk > most)) return false;
  return samplesInChunks(runs, chunks) <= most;
}

/** An entry is the number of its first chunk, from 1, and samples per chunk until the first of the next entry. */
const samplesInChunks = (runs: readonly (readonly number[])[], chunks: number): number =>
  runs.reduce((sum, [first = 0, perChunk = 0], index) => {
    const end = Math.min(runs[index + 1]?.[0] ?? Infinity, chunks + 1);
    return sum + Math.max(0, end - first) * perChunk;
  }, 0);

const boxOf = (table: SampleTable, name: string): BoxPlace | undefined =>
  table.find(({ type }) => type === name);

/** null: there is no table of sizes. */
async function samplesOf(source: Source, table: SampleTable): Promise<number | null> {
  const sizes = boxOf(table, 'stsz') ?? boxOf(table, 'stz2');
  const head = sizes && (await numbersAt(source, sizes.content, 3));
  return head?.[2] ?? null;
}

async function chunksOf(source: Source, table: SampleTable): Promise<number> {
  const offsets = boxOf(table, 'stco') ?? boxOf(table, 'co64');
  const head = offsets && (await numbersAt(source, offsets.content, 2));
  return head?.[1] ?? 0;
}

/** The entries of `numbers` 32-bit numbers that are there in whole. */
async function entriesOf(
  source: Source,
  table: SampleTable,
  type: string,
  numbers: number,
): Promise<number[][]> {
  const box = boxOf(table, type);
  if (!box) return [];
  const end = Math.min(box.end, source.bytes, box.content + MAX_TABLE_BYTES);
  const all = await numbersAt(source, box.content, Math.floor((end - box.content) / 4));
  const stated = all[1] ?? 0;
  const whole = Math.min(stated, Math.floor((all.length - 2) / numbers));
  return Array.from({ length: Math.max(0, whole) }, (_, index) =>
    all.slice(2 + index * numbers, 2 + (index + 1) * numbers),
  );
}

async function numbersAt(source: Source, at: number, count: number): Promise<number[]> {
  const bytes = Buffer.from(await source.read(at, Math.min(at + count * 4, source.bytes)));
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32BE(index * 4));
}
