import type { AiMark } from '#libs/content';
import { type BoxPlace, contentsAt, MAX_BOXES, readContent } from '../../container/iso-boxes.js';
import type { Source } from '../../isolation/source.js';
import { MAX_MANIFEST_BYTES, markInManifest, strongestMark } from '../../marks/manifests.js';
import { MANIFEST_BOX_ID, XMP_BOX_ID } from '../../marks/mp4.js';
import { MAX_PACKET_BYTES, markIn } from '../../marks/xmp-packet.js';

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
 * manifests, which are in boxes `uuid`. @param boxes of the top level @param indexes contents of `moov`
 */
export async function readClaims(
  source: Source,
  boxes: readonly BoxPlace[],
  indexes: readonly Buffer[],
): Promise<Claims> {
  const { packets, manifests } = await inUuids(source, boxes);
  const inIndexes = indexes.flatMap((index) => contentsAt(index, 'udta/XMP_'));
  const marks = inIndexes.slice(0, MAX_PACKETS).map(markIn);
  for (const packet of packets.slice(0, MAX_PACKETS))
    marks.push(isLonger(packet, MAX_PACKET_BYTES) ? null : markIn(await readContent(source, packet)));
  for (const manifest of manifests.slice(0, MAX_MANIFESTS))
    marks.push(
      isLonger(manifest, MAX_MANIFEST_BYTES) ? null : markInManifest(await readContent(source, manifest)),
    );
  const isCut = boxes.length === MAX_BOXES;
  if (isCut || packets.length + inIndexes.length > MAX_PACKETS || manifests.length > MAX_MANIFESTS)
    marks.push(null);
  const hasCredentials = manifests.length > 0 || (isCut ? null : false);
  return { aiMark: strongestMark(marks), hasCredentials };
}

const isLonger = ({ content, end }: BoxPlace, bytes: number): boolean => end - content > bytes;

async function inUuids(source: Source, boxes: readonly BoxPlace[]) {
  const [packets, manifests]: [BoxPlace[], BoxPlace[]] = [[], []];
  for (const box of boxes) {
    const packet = { ...box, content: box.content + XMP_BOX_ID.length };
    if (box.type !== 'uuid' || packet.content > box.end || box.end > source.bytes) continue;
    const id = await source.read(box.content, packet.content);
    if (XMP_BOX_ID.equals(id)) packets.push(packet);
    if (MANIFEST_BOX_ID.equals(id)) manifests.push(packet);
  }
  return { packets, manifests };
}
