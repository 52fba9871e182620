/** A strong entity tag from a version number: `"v7"`. */
export function etagOf(version: number): string {
  return `"v${version}"`;
}

/** What no stored version ever equals. */
export const NEVER = -1;

/**
 * The version an `If-Match` header demands, undefined when it demands none (missing or `*`). A tag that is
 * weak or not ours can match nothing, so that the change is refused rather than made blindly (RFC 9110,
 * 13.1.1: strong comparison). Of several tags the newest counts.
 */
export function versionDemanded(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const versions = header.split(',').map((tag) => /^"v(\d{1,15})"$/.exec(tag.trim())?.[1]);
  return Math.max(NEVER, ...versions.map((version) => (version === undefined ? NEVER : Number(version))));
}

/** Whether an `If-None-Match` header names the tag; weak comparison (RFC 9110, 13.1.2). */
export function isNamed(etag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
