import { type Markup, PAGE_POLICY } from '#libs/pages';
import type { Effect } from '../ledger/effect.js';
import type { ResponseStream } from './response-stream.js';

/** The response of a handler. Not sent yet, so that a fault can still apply. */
export interface SandboxResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Sent instead of `body`: the bytes from `start` up to and including `end` of a file. */
  readonly file?: { readonly path: string; readonly start: number; readonly end: number };
  /** Sent instead of `body`. */
  readonly stream?: ResponseStream;
  /** The effect that this response reports. */
  readonly effect?: Effect;
}

/** Of handlers that decode files the response comes later. */
export type Handled = SandboxResponse | Promise<SandboxResponse>;

export function json(
  status: number,
  value: unknown,
  type = 'application/json; charset=utf-8',
): SandboxResponse {
  return { status, headers: { 'content-type': type }, body: JSON.stringify(value) };
}

/**
 * `form-action` is left out of the policy on purpose: browsers apply it to the redirect that ends an
 * authorization, and that one must reach any registered client.
 */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `${PAGE_POLICY}; media-src 'self'`,
  'x-content-type-options': 'nosniff',
  // With `no-referrer` a browser sends forms with `Origin: null`, also to the page's own site (Fetch standard, section 3.2).
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

export function page(status: number, markup: Markup): SandboxResponse {
  return { status, headers: PAGE_HEADERS, body: markup.text };
}

export function redirect(location: string): SandboxResponse {
  return { status: 302, headers: { location, 'cache-control': 'no-store' }, body: '' };
}

export function withHeaders(
  response: SandboxResponse,
  headers: Readonly<Record<string, string>>,
): SandboxResponse {
  return { ...response, headers: { ...response.headers, ...headers } };
}
