import { contentsAt, type Edit, readBoxes, readContent, readEdits } from '../../container/iso-boxes.js';
import type { RangedSource } from '../../domain/ranged-source.js';
import { CannotRender } from '../domain/render.types.js';
import type { VisibleSpan } from '../domain/timeline.js';

/** An index of an hour of video has about 5 MB. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024;

/**
 * What the edit lists of an MP4 or QuickTime file show of each track, by the id of the track. Tracks without an edit list are left out.
 * @throws CannotRender when a track has several segments or another speed, which a file without edit lists cannot show
 */
export async function readEditLists(source: RangedSource): Promise<ReadonlyMap<number, VisibleSpan>> {
  const index = await readIndex(source);
  const movieScale = timeScale(contentsAt(index, 'mvhd')[0]);
  const spans = contentsAt(index, 'trak').map((track): [number, VisibleSpan | null] => [
    trackId(track),
    visibleSpan(track, movieScale),
  ]);
  return new Map(spans.filter((entry): entry is [number, VisibleSpan] => entry[1] !== null));
}

async function readIndex(source: RangedSource): Promise<Buffer> {
  const index = (await readBoxes(source)).find(({ type }) => type === 'moov');
  if (index && index.end - index.content <= MAX_INDEX_BYTES) return readContent(source, index);
  throw new CannotRender('not_readable', 'The video has no index that can be read. Export it again.');
}

function visibleSpan(track: Buffer, movieScale: number): VisibleSpan | null {
  const content = contentsAt(track, 'edts/elst')[0];
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
function timeScale(header: Buffer | undefined): number {
  const scale = numberAfterTimes(header);
  if (scale > 0) return scale;
  throw new CannotRender('not_readable', 'The index of the video states no time scale. Export it again.');
}

/** In `tkhd`, after version, flags and two times (section 8.3.2). */
const trackId = (track: Buffer): number => numberAfterTimes(contentsAt(track, 'tkhd')[0]);

/** Times have 8 bytes in version 1, else 4. */
function numberAfterTimes(header: Buffer | undefined): number {
  const at = header?.[0] === 1 ? 20 : 12;
  return header && header.length >= at + 4 ? header.readUInt32BE(at) : 0;
}

const editsNeedEncoding = () =>
  new CannotRender(
    'needs_encoding',
    'The video is cut by an edit list with several segments or another speed. Export it again, so that the cuts are applied.',
  );
