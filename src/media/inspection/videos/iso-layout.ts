import {
  boxesIn,
  type BoxPlace,
  contentsAt,
  MAX_CONTENTS,
  readBoxes,
  readContent,
  readEdits,
} from '../../container/iso-boxes.js';
import type { Source } from '../../isolation/source.js';
import { type Claims, readClaims } from './iso-claims.js';

/** A last chunk that is not full, and files of careless writers, name more samples than there are. A forged table names 2³². */
const MORE_SAMPLES = 65_536;
/** Of a table that is read: 250 000 entries of 8 bytes. What is behind them is left to the time limit. */
const MAX_TABLE_BYTES = 2_000_000;

/**
 * Whether the sample tables of each track (ISO/IEC 14496-12, sections 8.6.1 and 8.7) name about as many samples as there are sizes. A
 * demultiplexer makes as many steps as they name.
 * @param tables contents of `stbl`
 */
const areSampleTablesPlausible = (tables: readonly Buffer[]): boolean =>
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

export interface IsoLayout extends Claims {
  /** The content of the index, and where it begins. */
  readonly index: { readonly at: number; readonly bytes: Buffer };
  readonly indexFirst: boolean;
  readonly hasEditLists: boolean;
  /** null: not stated. */
  readonly hasFields: boolean | null;
  /** A box at the top level ends after the file. */
  readonly isTruncated: boolean;
  /** The tables of a track name far more samples than it has. */
  readonly isForged: boolean;
}

/** Reads headers of the top level, a bounded number of them, the index, XMP and manifests. @returns null without an index */
export async function readIsoLayout(source: Source): Promise<IsoLayout | null> {
  const boxes = await readBoxes(source);
  const places = boxes.filter(({ type }) => type === 'moov');
  const indexes = await readAll(source, places);
  const [place, index] = [places[0], indexes[0]];
  if (!place || !index) return null;
  const data = boxes.find(({ type }) => type === 'mdat');
  const tracks = contentsAt(index, 'trak');
  return {
    index: { at: place.content, bytes: index },
    indexFirst: data === undefined || place.start < data.start,
    hasEditLists: tracks.some(editsChangeTheTrack),
    isTruncated: boxes.some(({ end }) => end > source.bytes),
    hasFields: statedFields(tracks),
    isForged: !areSampleTablesPlausible(contentsAt(index, 'trak/mdia/minf/stbl')),
    ...(await readClaims(source, boxes, indexes)),
  };
}

async function readAll(source: Source, places: readonly BoxPlace[]): Promise<Buffer[]> {
  const contents: Buffer[] = [];
  for (const place of places) contents.push(await readContent(source, place));
  return contents;
}

/** An edit list with more entries changes the track in any case. The header of the list, and two entries of the long form. */
const EDIT_BYTES_READ = 8 + 2 * 20;

/**
 * Whether an edit list (ISO/IEC 14496-12, section 8.6.6) shows the track otherwise than from its first sample on, at its normal
 * speed. An edit that only ends the track earlier is not recognized.
 */
export const editsChangeTheTrack = (track: Buffer): boolean =>
  contentsAt(track, 'edts/elst').some((list) => {
    const [first, ...others] = readEdits(list.subarray(0, EDIT_BYTES_READ));
    return others.length > 0 || (first !== undefined && (first.mediaTime !== 0 || first.rate !== 1));
  });

/** Of a sample description: version, flags, number of entries. */
const LIST_HEAD_BYTES = 8;
/** Of a video sample entry, before its boxes. */
const ENTRY_HEAD_BYTES = 78;
/** Version, flags and a number before the type of a track. */
const HANDLER_AT = 8;
const PROGRESSIVE = 1;
const INTERLACED = 2;

/**
 * Whether a sample entry states fields: the first byte of `fiel` is their number in a picture (QuickTime File Format, "Field handling").
 * @returns null when none states it
 */
function statedFields(tracks: readonly Buffer[]): boolean | null {
  const descriptions = tracks
    .filter((track) => !contentsAt(track, 'mdia/hdlr').some(isOfSound))
    .flatMap((track) => contentsAt(track, 'mdia/minf/stbl/stsd'));
  const entries = descriptions.flatMap((list) => Array.from(boxesIn(list.subarray(LIST_HEAD_BYTES))));
  const counts = entries.flatMap(({ content }) =>
    contentsAt(content.subarray(ENTRY_HEAD_BYTES), 'fiel').map((fields) => fields[0]),
  );
  return counts.includes(INTERLACED) ? true : counts.includes(PROGRESSIVE) ? false : null;
}

const isOfSound = (handler: Buffer): boolean =>
  handler.toString('latin1', HANDLER_AT, HANDLER_AT + 4) === 'soun';
