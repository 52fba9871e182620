import { CannotRender, type RangedSource } from '../domain/render.types.js';
import type { VisibleSpan } from '../domain/timeline.js';
import { MAX_HEADER_BYTES, readHeader } from '../../container/box-header.js';
import { type Edit, readEdits } from '../../container/edits.js';
import { type Box, find, parseBoxes } from './boxes.js';

/** An index of an hour of video has about 5 MB. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024;
/** A fragmented file has its index among the first boxes. */
const MAX_BOXES = 1_000;

/**
 * What the edit lists of an MP4 or QuickTime file show of each track, by the id of the track. Tracks without an edit list are left out.
 * @throws CannotRender when a track has several segments or another speed, which a file without edit lists cannot show
 */
export async function readEditLists(source: RangedSource): Promise<ReadonlyMap<number, VisibleSpan>> {
  const index = await readIndex(source);
  const movieScale = timeScale(find(index, 'mvhd'));
  const spans = index
    .filter(({ type }) => type === 'trak')
    .map((track): [number, VisibleSpan | null] => [trackId(track), visibleSpan(track, movieScale)]);
  return new Map(spans.filter((entry): entry is [number, VisibleSpan] => entry[1] !== null));
}

async function readIndex(source: RangedSource): Promise<readonly Box[]> {
  for (let at = 0, count = 0; at + 8 <= source.bytes && count < MAX_BOXES; count += 1) {
    const end = Math.min(source.bytes, at + MAX_HEADER_BYTES);
    const header = readHeader(Buffer.from(await source.read(at, end)));
    if (header === null) break;
    const bytes = Math.min(header.bytes ?? Infinity, source.bytes - at);
    if (header.type === 'moov') {
      if (bytes > MAX_INDEX_BYTES) break;
      return parseBoxes(Buffer.from(await source.read(at + header.headerBytes, at + bytes)), 1);
    }
    at += bytes;
  }
  throw new CannotRender('not_readable', 'The video has no index that can be read. Export it again.');
}

function visibleSpan(track: Box, movieScale: number): VisibleSpan | null {
  const content = find(track.children ?? [], 'edts/elst')?.content;
  const edits = content ? readEdits(content) : [];
  const shown = edits.filter(({ mediaTime }) => mediaTime !== -1);
  if (shown.length === 0) return null;
  const [edit, ...others] = shown as [Edit, ...Edit[]];
  if (others.length > 0 || edit.rate !== 1 || edits.at(-1) !== edit) throw editsNeedEncoding();
  const waits = edits.slice(0, -1).reduce((sum, { duration }) => sum + duration, 0);
  const from = waits / movieScale;
  // 0: to the end, as in fragmented files.
  return { from, until: edit.duration === 0 ? Infinity : from + edit.duration / movieScale };
}

/** In `mvhd`, after version, flags and two times (section 8.2.2). */
function timeScale(header: Box | undefined): number {
  const at = header?.content[0] === 1 ? 20 : 12;
  const scale = header && header.content.length >= at + 4 ? header.content.readUInt32BE(at) : 0;
  if (scale > 0) return scale;
  throw new CannotRender('not_readable', 'The index of the video states no time scale. Export it again.');
}

/** In `tkhd`, after version, flags and two times (section 8.3.2). */
function trackId(track: Box): number {
  const content = find(track.children ?? [], 'tkhd')?.content ?? Buffer.alloc(0);
  const at = content[0] === 1 ? 20 : 12;
  return content.length >= at + 4 ? content.readUInt32BE(at) : 0;
}

const editsNeedEncoding = () =>
  new CannotRender(
    'needs_encoding',
    'The video is cut by an edit list with several segments or another speed. Export it again, so that the cuts are applied.',
  );
