import { join } from 'node:path';
import { type Input, MP4, QTFF } from 'mediabunny';
import { isMarked, type VideoSpec } from '#libs/content';
import { openVideo } from '../../container/open-video.js';
import { shownPicture } from '../../container/shown-picture.js';
import { xmpBox } from '../../marks/mp4.js';
import { xmpPacket } from '../../marks/xmp-packet.js';
import type { RangedSource } from '../../domain/ranged-source.js';
import type { RenderedFile, RenderInput } from '../domain/render.types.js';
import { align } from './align.js';
import { describeIndex, tooLarge } from './describe-index.js';
import { readEditLists } from './edit-lists.js';
import { HEADERS, WITH_BYTES } from './packets.js';
import { readAhead } from '../../isolation/read-ahead.js';
import { chooseTracks } from './tracks.js';
import { writeVideo } from './write-video.js';

/** One request for about a second of video. */
const BLOCK_BYTES = 1024 * 1024;

/**
 * An MP4 file with the picture and the first sound of the source, copied without encoding; the index first, no edit lists, no metadata
 * but the mark of the source, which is last.
 * Two passes over the packets: their times and sizes give the index, then their bytes are copied. Memory is flat but for the index.
 *
 * An edit list has no exact equivalent without encoding. Hidden sound packets and hidden pictures are left out; sound and picture stay in
 * sync by `shiftToZero`. What cannot be shown so fails.
 */
export async function renderVideo(request: RenderInput, spec: VideoSpec): Promise<RenderedFile> {
  const source = readAhead(request.source, BLOCK_BYTES);
  const input = openVideo(source);
  try {
    return await renderFrom(input, source, request, spec);
  } finally {
    input.dispose();
  }
}

async function renderFrom(
  input: Input,
  source: RangedSource,
  { folder, aiMark }: RenderInput,
  { maxBytes }: VideoSpec,
): Promise<RenderedFile> {
  const tracks = await chooseTracks(input);
  const format = await input.getFormat();
  const spans = format === MP4 || format === QTFF ? await readEditLists(source) : new Map<number, never>();
  const limits = { sourceBytes: source.bytes, maxBytes };
  const described = await describeIndex(tracks, await align(tracks, spans, HEADERS), limits);
  const { width, height } = await shownPicture(tracks.video.track);
  const path = join(folder, 'rendition.mp4');
  const mark = isMarked(aiMark) ? xmpBox(xmpPacket(aiMark)) : null;
  const written = await writeVideo(path, { ...described, mark }, await align(tracks, spans, WITH_BYTES));
  if (written.bytes > maxBytes + (mark?.length ?? 0)) throw tooLarge(maxBytes);
  return {
    kind: 'rendered',
    path,
    contentType: 'video/mp4',
    ...written,
    width,
    height,
    durationMs: Math.round(described.seconds * 1000),
  };
}
