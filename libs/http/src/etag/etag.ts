import { createHash } from 'node:crypto';

/**
 * A strong entity tag from a version number: `"v7"`. What an answer holds that does not follow from the version is named
 * beside it, as 16 hexadecimal digits: `"v7-0f3b…"`; null and undefined for nothing.
 */
export function etagOf(version: number, besides?: unknown): string {
  return besides === null || besides === undefined ? `"v${version}"` : `"v${version}-${digest(besides)}"`;
}

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

/** What no stored version ever equals. */
export const NEVER = -1;

/**
 * The version an `If-Match` header demands, undefined when it demands none (missing or `*`). A tag that is
 * weak or not ours can match nothing, so that the change is refused rather than made blindly (RFC 9110,
 * 13.1.1: strong comparison). Of several tags the newest counts. What a tag says besides the version demands nothing: it is
 * about something else than what is changed.
 */
export function versionDemanded(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const versions = header.split(',').map((tag) => /^"v(\d{1,15})(?:-[0-9a-f]{16})?"$/.exec(tag.trim())?.[1]);
  return Math.max(NEVER, ...versions.map((version) => (version === undefined ? NEVER : Number(version))));
}

/** Whether an `If-None-Match` header names the tag; weak comparison (RFC 9110, 13.1.2). */
export function isNamed(etag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
