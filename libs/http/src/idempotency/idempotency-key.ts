import { createHash, createHmac } from 'node:crypto';
import type { Request } from 'express';
import { principalOf } from '../context/principal.js';
import { requestContext } from '../context/request-context.js';
import { HttpProblem } from '../problems/problem.js';

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;
/** A structured-field string (RFC 8941, 3.3.3), the form of draft-ietf-httpapi-idempotency-key-header. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/** The request's key, or undefined when it has none. @throws HttpProblem 400 when it is not 1–255 visible ASCII characters */
export function idempotencyKey(request: Request): string | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return undefined;
  const written = String(header);
  const key = QUOTED.exec(written)?.[1]?.replace(/\\(["\\])/g, '$1') ?? written;
  if (VISIBLE_ASCII.test(key)) return key;
  throw new HttpProblem({
    status: 400,
    code: 'idempotency_key_not_valid',
    title: 'Idempotency key is not valid',
    detail: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
    errors: [
      { header: 'Idempotency-Key', code: 'not_valid', detail: 'must be 1 to 255 visible ASCII characters' },
    ],
  });
}

/** The key of the stored row: the Idempotency-Key within one service, principal, method and path. */
export function scopedKey(request: Request, key: string): Buffer {
  const { service } = requestContext();
  return sha256([service, principalOf(request), request.method, request.path.toLowerCase(), key]);
}

/** Headers that select the brand, the organization, the person and the version of a request. */
const MEANINGFUL_HEADERS = ['x-brand-id', 'x-organization-id', 'x-user-id', 'if-match'];

/**
 * What a repetition has in common with the first request: the query, MEANINGFUL_HEADERS and the body, in any order of its
 * fields. Keyed, because a body can contain a secret that few guesses find.
 * @param secret of the service, the same on every replica
 */
export function requestFingerprint(request: Request, secret: string): Buffer {
  const headers = MEANINGFUL_HEADERS.flatMap((name) => {
    const value = request.headers[name];
    return value === undefined ? [] : [[name, String(value).toLowerCase()]];
  });
  const parts = JSON.stringify([request.query, canonical(request.body), ...headers]);
  return createHmac('sha256', secret).update(parts).digest();
}

/** A value whose JSON is the same for every order of the fields. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, field]) => [name, canonical(field)]);
}

function sha256(parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
