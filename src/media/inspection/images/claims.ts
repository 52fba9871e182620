import type { Metadata } from 'sharp';
import type { AiMark, MediaFacts } from '#libs/content';
import { manifestsIn, markInManifest, strongestMark } from '../../marks/manifests.js';
import { markIn } from '../../marks/xmp-packet.js';
import { withoutHarmlessFaults } from './faults.js';

/** As XMP and the assertions of manifests name it. */
const GPS = 'GPSL';
/** Of the directory with the place, in the first directory of EXIF (CIPA DC-008, section 4.6.3). */
const GPS_DIRECTORY = 0x8825;
const ENTRY_BYTES = 12;
const HEADER = Buffer.from('Exif\0\0', 'latin1');

/** Whether a picture says where it was taken, as EXIF, XMP or a manifest. EXIF that cannot be read counts as yes. */
const namesAPlace = (bytes: Buffer, exif: Buffer | undefined): boolean =>
  bytes.includes(GPS) || (exif !== undefined && directoryNamesAPlace(exif));

function directoryNamesAPlace(exif: Buffer): boolean {
  const tiff = exif.subarray(0, HEADER.length).equals(HEADER) ? exif.subarray(HEADER.length) : exif;
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || !['II', 'MM'].includes(order)) return true;
  const isLittle = order === 'II';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (start + 2 > tiff.length) return true;
  const end = start + 2 + short(start) * ENTRY_BYTES;
  if (end > tiff.length) return true;
  for (let at = start + 2; at < end; at += ENTRY_BYTES) if (short(at) === GPS_DIRECTORY) return true;
  return false;
}

type Claims = Pick<MediaFacts, 'hasCredentials' | 'isPublishable'> & { readonly aiMark: AiMark | null };

/** What a picture says about its origin, in XMP and in C2PA manifests. @param bytes the decoder has accepted them */
export function claimsOf(bytes: Buffer, contentType: string, metadata: Metadata): Claims {
  const manifests = manifestsIn(withoutHarmlessFaults(bytes) ?? bytes, contentType);
  const aiMark = strongestMark([markIn(metadata.xmp), ...(manifests ?? []).map(markInManifest)]);
  if (manifests === null) return { aiMark, hasCredentials: null, isPublishable: null };
  const hasCredentials = manifests.length > 0;
  return { aiMark, hasCredentials, isPublishable: hasCredentials ? isPublishable(bytes, metadata) : null };
}

/** Cameras put a second picture into a JPEG (CIPA DC-007), which some networks refuse. */
const SECOND_PICTURE = 'MPF\0';

/** Shown by every network as it is: upright, sRGB with 8 bits; and it names no place where it was taken. */
function isPublishable(bytes: Buffer, { orientation = 1, space, depth, icc, exif }: Metadata): boolean {
  const profile = icc?.toString('latin1').replaceAll('\0', '') ?? 'sRGB';
  const isPlain = orientation === 1 && space === 'srgb' && depth === 'uchar' && profile.includes('sRGB');
  return isPlain && !bytes.includes(SECOND_PICTURE) && !namesAPlace(bytes, exif);
}
