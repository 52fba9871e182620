import type { AiMark } from '#libs/content';
import { manifestsInJpeg } from './jpeg.js';
import { manifestsInIso } from './mp4.js';
import { manifestsInPng } from './png.js';
import { manifestsInWebp } from './webp.js';
import { TERMS } from './xmp-packet.js';

/**
 * Finds the Content Credentials of a picture: C2PA manifest stores. Nothing is verified: neither a signature nor that it is of these bytes.
 * @returns null: it could not be looked for
 */
export type ManifestReader = (bytes: Buffer) => Buffer[] | null;

const READERS: ReadonlyMap<string, ManifestReader> = new Map([
  ['image/jpeg', manifestsInJpeg],
  ['image/png', manifestsInPng],
  ['image/webp', manifestsInWebp],
  ['image/avif', manifestsInIso],
]);

/** @returns null also for a format that is not looked into, such as GIF */
export const manifestsIn = (bytes: Buffer, contentType: string): Buffer[] | null =>
  READERS.get(contentType)?.(bytes) ?? null;

/** Manifests of edited pictures have a thumbnail of each step. */
export const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;

const SCHEMES = ['digitalsourcetype/', String.raw`digitalsourcetype\/`];
/** A box with compressed content (ISO/IEC 18181-2): a manifest of C2PA 2.1 may be compressed. */
const COMPRESSED = 'brob';

/**
 * The mark in a manifest store. The address of the IPTC digital source type is searched as CBOR and JSON write it, in one piece: no other
 * term begins with one of the two. Those of ingredients count: a step may say only that it continues an earlier manifest.
 * @returns null: it is too large, or compressed
 */
export function markInManifest(manifest: Buffer): AiMark | null {
  if (manifest.length > MAX_MANIFEST_BYTES) return null;
  const claims = (term: string) => SCHEMES.some((scheme) => manifest.includes(scheme + term));
  if (claims(TERMS.generated)) return 'generated';
  if (claims(TERMS.composite)) return 'composite';
  return manifest.includes(COMPRESSED) ? null : 'none';
}

/** Of several claims. null: one is not known, and no other says that a model made it */
export function strongestMark(marks: readonly (AiMark | null)[]): AiMark | null {
  const strongest = (['generated', 'composite'] as const).find((mark) => marks.includes(mark));
  return strongest ?? (marks.includes(null) ? null : 'none');
}
