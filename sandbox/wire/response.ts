import { type Markup, PAGE_POLICY } from '#libs/pages';
import type { Effect } from '../ledger/effect.js';

/** How a streamed response ended: with its last part, by a fault, or because the client closed the connection. */
export type StreamEnd = 'sent' | 'cut' | 'client-left';

export interface ResponseStream {
  /**
   * The next part is asked for when the client has taken the one before. `signal` is aborted when the client leaves, so that a
   * pause between parts ends.
   * @throws ConnectionIsCut to close the connection after the parts before
   */
  parts(signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Called once. */
  ended?(how: StreamEnd): void;
}

/** A fault closes the connection in the middle of a body. */
export class ConnectionIsCut extends Error {
  override name = 'ConnectionIsCut';
}

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

/** A handler throws it with the response to a call that its network refuses. */
export class CallIsRefused extends Error {
  override name = 'CallIsRefused';

  constructor(
    readonly response: SandboxResponse,
    message = 'The network refuses the call.',
  ) {
    super(message);
  }
}

/** The response of the handler, also to a call that is refused on the way. */
export async function answered(handle: () => Handled): Promise<SandboxResponse> {
  try {
    return await handle();
  } catch (error) {
    if (error instanceof CallIsRefused) return error.response;
    throw error;
  }
}

export function json(
  status: number,
  value: unknown,
  type = 'application/json; charset=utf-8',
): SandboxResponse {
  return { status, headers: { 'content-type': type }, body: JSON.stringify(value) };
}

/** Without `form-action`, which browsers apply to redirects too: the one that ends an authorization reaches any registered client. */
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
