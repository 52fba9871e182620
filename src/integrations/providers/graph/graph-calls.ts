import type { OutboundRequest } from '#libs/outbound-http';

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

/** Without a token, such as an exchange of a code. */
export function formPost(url: string, fields: Fields): OutboundRequest {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { method: 'POST', url, headers, body: new URLSearchParams(fields).toString() };
}

const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` });
