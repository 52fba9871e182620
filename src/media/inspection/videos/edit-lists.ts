import { readEdits } from '../../container/edits.js';
import type { Source } from '../../isolation/source.js';
import { boxesIn, type BoxPlace } from './iso-boxes.js';

/** An edit list with more entries changes the track in any case. */
const ENTRIES_READ = 2;
/** The header of the list, and entries of the long form. */
const BYTES_READ = 8 + ENTRIES_READ * 20;

/**
 * Whether an edit list (ISO/IEC 14496-12, section 8.6.6) shows the track otherwise than from its first sample on, at its normal
 * speed. An edit that only ends the track earlier is not recognized.
 */
export async function editsChangeTheTrack(source: Source, track: BoxPlace): Promise<boolean> {
  for (const container of await boxesIn(source, track, 'edts'))
    for (const list of await boxesIn(source, container, 'elst')) {
      const content = await source.read(list.content, Math.min(list.end, list.content + BYTES_READ));
      const [first, ...others] = readEdits(Buffer.from(content));
      if (others.length > 0 || (first && (first.mediaTime !== 0 || first.rate !== 1))) return true;
    }
  return false;
}
