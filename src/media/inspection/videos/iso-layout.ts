import { type BoxPlace, boxesIn, contentsAt, readBoxes, readContent } from '../../container/iso-boxes.js';
import { readEdits } from '../../container/edits.js';
import type { Source } from '../../isolation/source.js';
import { type Claims, readClaims } from './iso-claims.js';
import { areSampleTablesPlausible } from './sample-tables.js';

/** Facts of an MP4 or QuickTime file that lie in its boxes (ISO/IEC 14496-12). */
export interface IsoLayout extends Claims {
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
