import type { AiMark } from '#libs/content';
import type { Source } from '../../isolation/source.js';
import { MAX_MANIFEST_BYTES, markInManifest, strongestMark } from '../../marks/manifests.js';
import { MANIFEST_BOX_ID, XMP_BOX_ID } from '../../marks/mp4.js';
import { MAX_PACKET_BYTES, markIn } from '../../marks/xmp-packet.js';
import { boxesIn, type BoxPlace, MAX_BOXES } from './iso-boxes.js';

/** A file has one. */
const MAX_PACKETS = 4;
/** A file has one, and a signed live recording a small one for each fragment. */
const MAX_MANIFESTS = 4;

/** What an MP4 or QuickTime file says about its origin. */
export interface Claims {
  /** null: a packet, a manifest or boxes were not read, and no other says that a model made it. */
  readonly aiMark: AiMark | null;
  /** A C2PA manifest is in the file. null: boxes were not read. */
  readonly hasCredentials: boolean | null;
}

/**
 * The claims in XMP, which is in boxes `uuid` of the top level or in `moov/udta/XMP_` (XMP part 3, "MPEG-4" and "QuickTime"), and in
 * manifests, which are in boxes `uuid`. @param boxes of the top level
 */
export async function readClaims(source: Source, boxes: readonly BoxPlace[]): Promise<Claims> {
  const found = await inUuids(source, boxes);
  const packets = [...found.packets, ...(await inUserData(source, boxes))];
  const marks: (AiMark | null)[] = [];
  for (const { content, end } of packets.slice(0, MAX_PACKETS))
    marks.push(end - content > MAX_PACKET_BYTES ? null : markIn(await source.read(content, end)));
  for (const { content, end } of found.manifests.slice(0, MAX_MANIFESTS))
    marks.push(
      end - content > MAX_MANIFEST_BYTES
        ? null
        : markInManifest(Buffer.from(await source.read(content, end))),
    );
  const isCut = boxes.length === MAX_BOXES;
  if (isCut || packets.length > MAX_PACKETS || found.manifests.length > MAX_MANIFESTS) marks.push(null);
  const hasCredentials = found.manifests.length > 0 || (isCut ? null : false);
  return { aiMark: strongestMark(marks), hasCredentials };
}

type Packet = Pick<BoxPlace, 'content' | 'end'>;

async function inUuids(source: Source, boxes: readonly BoxPlace[]) {
  const [packets, manifests]: [Packet[], Packet[]] = [[], []];
  for (const { type, content, end } of boxes) {
    const packet = { content: content + XMP_BOX_ID.length, end };
    if (type !== 'uuid' || packet.content > end || end > source.bytes) continue;
    const id = await source.read(content, packet.content);
    if (XMP_BOX_ID.equals(id)) packets.push(packet);
    if (MANIFEST_BOX_ID.equals(id)) manifests.push(packet);
  }
  return { packets, manifests };
}

async function inUserData(source: Source, boxes: readonly BoxPlace[]): Promise<Packet[]> {
  const packets: Packet[] = [];
  for (const index of boxes.filter(({ type }) => type === 'moov'))
    for (const data of await boxesIn(source, index, 'udta'))
      packets.push(...(await boxesIn(source, data, 'XMP_')).filter(({ end }) => end <= source.bytes));
  return packets;
}
