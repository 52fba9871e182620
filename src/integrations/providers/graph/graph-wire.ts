import type { OutboundRequest } from '#libs/outbound-http';
import type { ApiVersion } from '../../domain/network-limits.js';
import { formPost } from '../token-endpoint.js';
import { textLike } from '../values.js';

type Fields = Readonly<Record<string, string>>;

/*
 * Calls to the Graph API. The token is sent as a header (developers.facebook.com/docs/instagram-platform/content-publishing shows
 * `Authorization: Bearer`, read 2026-11-21), and secrets in the body: addresses are written to the logs of proxies.
 */

export function graphGet(url: string, accessToken: string, fields: Fields = {}): OutboundRequest {
  const query = new URLSearchParams(fields).toString();
  return { method: 'GET', url: query === '' ? url : `${url}?${query}`, headers: bearer(accessToken) };
}

/** @param fields lists and objects are written as JSON, one field for each element: `children[0]` */
export function graphPost(url: string, accessToken: string, fields: Fields): OutboundRequest {
  const request = formPost(url, fields);
  return { ...request, headers: { ...request.headers, ...bearer(accessToken) } };
}

const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` });

/** Ids of the Graph API are numbers in decimal; those of posts of a page are two, joined by an underscore. */
const ID = /^\d{1,25}(_\d{1,25})?$/;

/** The id of an account, a post, a container or a photo; null for anything else. Some older interfaces answer a number. */
export function graphIdIn(value: unknown): string | null {
  const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return textLike(ID, id);
}

/** Tokens of Meta have about 250 characters. */
const TOKEN = /^[\x21-\x7e]{1,4000}$/;

/** A token, as it can be sent in a header; null for anything else. */
export const graphTokenIn = (value: unknown): string | null => textLike(TOKEN, value);

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
