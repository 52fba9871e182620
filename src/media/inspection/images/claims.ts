import type { Metadata } from 'sharp';
import type { AiMark, MediaFacts } from '#libs/content';
import { manifestsIn, markInManifest, strongestMark } from '../../marks/manifests.js';
import { markIn } from '../../marks/xmp-packet.js';
import { withoutHarmlessFaults } from './harmless-faults.js';
import { namesAPlace } from './place.js';

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
