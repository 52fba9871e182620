import type { Call } from '../../wire/call.js';

/** As a bearer token, or as the user name of Basic. */
export function secretKeyIn(call: Call): string | null {
  const basic = /^Basic +(\S+) *$/i.exec(call.headers.authorization ?? '')?.[1];
  if (basic === undefined) return call.bearerToken;
  return Buffer.from(basic, 'base64').toString('utf8').split(':', 1)[0] ?? null;
}
