import { type EncodedPacket, EncodedPacketSink, type InputTrack } from 'mediabunny';
import { CannotRender } from '../domain/render.types.js';
import type { VisibleSpan } from '../domain/timeline.js';

/** Times of edit lists are rounded to the time scale of the movie, often 1/600 or 1/1000 s. */
const ROUNDING_S = 0.002;
/** A picture that starts within this time before the edit is taken for its first: edit lists of some writers are off by a frame. */
const FRAME_S = 0.05;
/** Losing more of what the edit list shows needs encoding. */
const MAX_LOSS_S = 1;
/** Pictures that may be decoded before one that is shown earlier (H.264, annex A.3.1: MaxDpbFrames). */
const MAX_REORDERED = 16;

/** Times and sizes only, without reading the bytes. */
export const HEADERS = { metadataOnly: true } as const;
export const WITH_BYTES = { metadataOnly: false } as const;

export type PacketParts = typeof HEADERS | typeof WITH_BYTES;

export interface Pictures {
  readonly first: EncodedPacket;
  /** Earlier pictures of the track are left out. */
  readonly isCut: boolean;
  /** In decode order, from the first one on. */
  readonly packets: AsyncGenerator<EncodedPacket, void>;
}

/**
 * The pictures that an edit list shows, from a key packet on. What it hides before is never part of the result; at its end a few hidden
 * pictures stay that earlier ones may refer to.
 * @throws CannotRender when the first key packet is too long after the start of the edit
 */
export async function openPictures(
  track: InputTrack,
  span: VisibleSpan,
  parts: PacketParts,
): Promise<Pictures> {
  const sink = new EncodedPacketSink(track);
  const first = await firstVisibleKey(sink, span.from, parts);
  const isCut = (await sink.getFirstPacket(HEADERS))?.sequenceNumber !== first.sequenceNumber;
  return { first, isCut, packets: picturesFrom(sink, first, { until: span.until, parts }) };
}

async function* picturesFrom(
  sink: EncodedPacketSink,
  start: EncodedPacket,
  { until, parts }: { readonly until: number; readonly parts: PacketParts },
): AsyncGenerator<EncodedPacket, void> {
  let isFirstGroup = true;
  let hidden: EncodedPacket[] = [];
  for await (const packet of oneByOne(sink, start, parts)) {
    isFirstGroup &&= packet.type !== 'key' || packet.sequenceNumber === start.sequenceNumber;
    // A leading picture of an open group refers to pictures before the start.
    if (isFirstGroup && packet.timestamp < start.timestamp) continue;
    if (packet.timestamp < until - ROUNDING_S) {
      yield* hidden;
      yield packet;
      hidden = [];
    } else if (hidden.push(packet) > MAX_REORDERED) return;
  }
}

async function firstVisibleKey(
  sink: EncodedPacketSink,
  from: number,
  parts: PacketParts,
): Promise<EncodedPacket> {
  const first = await sink.getFirstKeyPacket(HEADERS);
  if (first === null) throw new CannotRender('not_readable', 'The video has no key frame. Export it again.');
  const isShown = first.timestamp >= from - FRAME_S;
  const key = isShown ? first : await nextKey(sink, first, from - FRAME_S);
  const packet = key && (await sink.getPacket(key.timestamp, parts));
  if (packet && (isShown || packet.timestamp - from <= MAX_LOSS_S)) return packet;
  throw new CannotRender(
    'needs_encoding',
    'The video is cut by an edit list between two key frames. Export it again, so that the cut is applied.',
  );
}

/** The first key packet that is shown at `time` or later. */
async function nextKey(
  sink: EncodedPacketSink,
  first: EncodedPacket,
  time: number,
): Promise<EncodedPacket | null> {
  const before = (await sink.getKeyPacket(time, HEADERS)) ?? first;
  return before.timestamp >= time ? before : sink.getNextKeyPacket(before, HEADERS);
}

/** `sink.packets()` reads ahead as many packets as were taken within a second, which can be hundreds of megabytes. */
async function* oneByOne(
  sink: EncodedPacketSink,
  start: EncodedPacket | null,
  parts: PacketParts,
): AsyncGenerator<EncodedPacket, void> {
  for (let packet = start; packet; packet = await sink.getNextPacket(packet, parts)) yield packet;
}

/** The packets of a sound that are at least in part inside the span. */
export async function* audioPackets(
  track: InputTrack,
  span: VisibleSpan,
  parts: PacketParts,
): AsyncGenerator<EncodedPacket, void> {
  const sink = new EncodedPacketSink(track);
  for await (const packet of oneByOne(sink, await sink.getFirstPacket(parts), parts)) {
    if (packet.timestamp >= span.until - ROUNDING_S) return;
    if (packet.timestamp + packet.duration > span.from + ROUNDING_S) yield packet;
  }
}

/** The next value of an iteration; its type of the end is never used. */
export async function take<T>(values: AsyncGenerator<T, void>): Promise<T | undefined> {
  const { value, done } = await values.next();
  return done ? undefined : value;
}
