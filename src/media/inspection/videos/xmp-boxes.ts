import type { AiMark } from '#libs/content';
import type { Source } from '../../isolation/source.js';
import { XMP_BOX_ID } from '../../marks/mp4.js';
import { MAX_PACKET_BYTES, markIn } from '../../marks/xmp-packet.js';
import type { BoxPlace } from './iso-boxes.js';
import { boxesIn, MAX_BOXES } from './iso-boxes.js';

/** A file has one. */
const MAX_PACKETS = 4;

/**
 * The mark in the XMP of an MP4 or QuickTime file: in boxes `uuid` of the top level, or in `moov/udta/XMP_` (XMP part 3, "MPEG-4" and
 * "QuickTime"). @param boxes of the top level @returns null: a packet or boxes were not read, and no other says that a model made it
 */
export async function readMark(source: Source, boxes: readonly BoxPlace[]): Promise<AiMark | null> {
  const packets = [...(await inUuids(source, boxes)), ...(await inUserData(source, boxes))];
  const marks: (AiMark | null)[] = [];
  for (const { content, end } of packets.slice(0, MAX_PACKETS))
    marks.push(end - content > MAX_PACKET_BYTES ? null : markIn(await source.read(content, end)));
  const isCut = boxes.length === MAX_BOXES || packets.length > MAX_PACKETS;
  const strongest = (['generated', 'composite'] as const).find((mark) => marks.includes(mark));
  return strongest ?? (isCut || marks.includes(null) ? null : 'none');
}

type Packet = Pick<BoxPlace, 'content' | 'end'>;

async function inUuids(source: Source, boxes: readonly BoxPlace[]): Promise<Packet[]> {
  const packets: Packet[] = [];
  for (const { type, content, end } of boxes) {
    const packet = { content: content + XMP_BOX_ID.length, end };
    if (type !== 'uuid' || packet.content > end || end > source.bytes) continue;
    if (XMP_BOX_ID.equals(await source.read(content, packet.content))) packets.push(packet);
  }
  return packets;
}

async function inUserData(source: Source, boxes: readonly BoxPlace[]): Promise<Packet[]> {
  const packets: Packet[] = [];
  for (const index of boxes.filter(({ type }) => type === 'moov'))
    for (const data of await boxesIn(source, index, 'udta'))
      packets.push(...(await boxesIn(source, data, 'XMP_')).filter(({ end }) => end <= source.bytes));
  return packets;
}
