import type { ApiVersion } from '../../domain/network-limits.js';

/**
 * When Meta stops serving a version, UTC; null: not announced. A call to an ended version is served by the oldest one that is left,
 * which may behave differently. Source: developers.facebook.com/docs/graph-api/changelog/versions, read 2026-11-21.
 */
const ENDS: Readonly<Record<string, string | null>> = {
  'v20.0': '2026-09-24',
  'v21.0': '2027-01-21',
  'v22.0': '2027-05-20',
  'v23.0': '2027-10-08',
  'v24.0': '2028-02-18',
  'v25.0': '2028-07-29',
  'v26.0': null,
};

/** The version that this release was written for. */
export const GRAPH_VERSION = 'v25.0';
/** As Meta writes versions. */
export const GRAPH_VERSION_NAME = /^v\d{1,3}\.\d{1,2}$/;

/** @param name of a configuration; a version that this release does not know has no known end */
export function graphVersion(name: string): ApiVersion {
  const endsAt = ENDS[name] ?? null;
  return { name, endsAt: endsAt && `${endsAt}T00:00:00.000Z` };
}
