import type { NetworkResponse } from '../../domain/provider-publishing.js';
import { memberOf, wordsIn } from '../values.js';

/* Errors of Facebook, Instagram and Threads (developers.facebook.com/docs/graph-api/guides/error-handling, read 2026-11-21). */

export interface GraphError {
  readonly status: number;
  /** null: the response has no readable error. */
  readonly code: number | null;
  readonly subcode: number | null;
  /** `is_transient`: the network expects that a repeat succeeds. */
  readonly isTransient: boolean;
  /** Lower case, at most 1000 UTF-16 units; distinguishes errors that have one code. Never shown. */
  readonly words: string;
}

const MAX_WORDS = 1_000;

/** Reads `{error: {code, error_subcode, is_transient, message, error_user_msg}}`; a malformed one has no code. */
export function readGraphError(status: number, body: unknown): GraphError {
  const error = memberOf(body, 'error');
  const texts = ['message', 'error_user_title', 'error_user_msg'].map((name) => memberOf(error, name));
  return {
    status,
    code: numberIn(memberOf(error, 'code')),
    subcode: numberIn(memberOf(error, 'error_subcode')),
    isTransient: memberOf(error, 'is_transient') === true,
    words: (
      wordsIn(texts.filter((text) => typeof text === 'string').join(' '), MAX_WORDS) ?? ''
    ).toLowerCase(),
  };
}

/** The Graph API numbers its errors. Hosts that take bytes write `debug_info` (/docs/video-api/guides/reels-publishing). */
export const isGraphError = ({ status, body }: Pick<NetworkResponse, 'status' | 'body'>): boolean =>
  readGraphError(status, body).code !== null || memberOf(body, 'debug_info') !== undefined;

/** The network's name of an error: `190/463`, `190`, or the status where it has no code. */
export function networkCodeOf({ status, code, subcode }: GraphError): string {
  if (code === null) return String(status);
  return subcode === null ? String(code) : `${code}/${subcode}`;
}

/** A number, also one that is written as a string; some are negative. */
function numberIn(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}
