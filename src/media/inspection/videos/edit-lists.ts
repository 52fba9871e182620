import type { Source } from '../../isolation/source.js';
import type { BoxPlace } from './iso-boxes.js';
import { boxesIn, view } from './iso-boxes.js';

/** An edit list with more entries changes the track in any case. */
const ENTRIES_READ = 2;

interface Edit {
  /** In the time scale of the track; -1: nothing is shown. */
  readonly mediaTime: number;
  readonly rate: number;
}

/**
 * Whether an edit list (ISO/IEC 14496-12, section 8.6.6) shows the track otherwise than from its first sample on, at its normal
 * speed. An edit that only ends the track earlier is not recognized.
 */
export async function editsChangeTheTrack(source: Source, track: BoxPlace): Promise<boolean> {
  for (const container of await boxesIn(source, track, 'edts'))
    for (const list of await boxesIn(source, container, 'elst')) {
      const { count, first } = await readEdits(source, list);
      if (count > 1 || (first && (first.mediaTime !== 0 || first.rate !== 1))) return true;
    }
  return false;
}

async function readEdits(
  source: Source,
  list: BoxPlace,
): Promise<{ count: number; first: Edit | undefined }> {
  const end = Math.min(list.end, list.content + 8 + ENTRIES_READ * 20);
  const content = view(await source.read(list.content, end));
  if (content.byteLength < 8) return { count: 0, first: undefined };
  const isLong = content.getUint8(0) === 1;
  const entryBytes = isLong ? 20 : 12;
  const count = Math.min(content.getUint32(4), Math.floor((content.byteLength - 8) / entryBytes));
  if (count === 0) return { count, first: undefined };
  const mediaTime = isLong ? Number(content.getBigInt64(16)) : content.getInt32(12);
  return { count, first: { mediaTime, rate: content.getInt32(8 + entryBytes - 4) / 0x10000 } };
}
