import type { Source } from '../../isolation/source.js';
import { boxesAt, boxesIn, type BoxPlace, readBoxes } from './iso-boxes.js';
import { editsChangeTheTrack } from './edit-lists.js';
import { hasFieldsInIso } from './iso-fields.js';
import { areSampleTablesPlausible, type SampleTable } from './sample-tables.js';
import { type Claims, readClaims } from './claims-in-boxes.js';

const TABLE_PATH = ['trak', 'mdia', 'minf', 'stbl'];

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

/** Reads headers, a bounded number of them, XMP and manifests. @returns null without an index */
export async function readIsoLayout(source: Source): Promise<IsoLayout | null> {
  const boxes = await readBoxes(source, { start: 0, end: source.bytes });
  const index = boxes.find(({ type }) => type === 'moov');
  if (!index) return null;
  const data = boxes.find(({ type }) => type === 'mdat');
  const tables: SampleTable[] = [];
  for (const { content, end } of await boxesAt(source, index, TABLE_PATH))
    tables.push(await readBoxes(source, { start: content, end }));
  return {
    indexFirst: data === undefined || index.start < data.start,
    hasEditLists: await hasEditLists(source, index),
    isTruncated: boxes.some(({ end }) => end > source.bytes),
    hasFields: await hasFieldsInIso(source, tables),
    isForged: !(await areSampleTablesPlausible(source, tables)),
    ...(await readClaims(source, boxes)),
  };
}

async function hasEditLists(source: Source, index: BoxPlace): Promise<boolean> {
  const tracks = await boxesIn(source, index, 'trak');
  for (const track of tracks) if (await editsChangeTheTrack(source, track)) return true;
  return false;
}
