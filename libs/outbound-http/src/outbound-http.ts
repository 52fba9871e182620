import type { OnApplicationShutdown } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Agent } from 'undici';
import type { Dispatcher } from 'undici';
import { OutboundHttpConfig } from './outbound-http.config.js';
import { markWhenSent } from './mark-when-sent.js';
import type { SendMark } from './mark-when-sent.js';
import { isStreamed, readableOf } from './streamed-body.js';
import type { StreamedBody } from './streamed-body.js';
import { TimeLimit } from './time-limit.js';

export interface OutboundRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | StreamedBody;
  /**
   * Milliseconds for the whole call; with a streamed body, for each part of it that is written and for the response after it.
   * Default and, with `maySend`, maximum: NETWORK_TIMEOUT_MS, because leases are checked against it.
   */
  readonly timeoutMs?: number;
  /** A longer response counts as `no-answer`. Default 1 MiB. */
  readonly maxResponseBytes?: number;
  /** Called right before the request is written to a connection; false: it is not written. */
  readonly maySend?: () => boolean;
}

/** The outcome of a request. Only `not-sent` and `withheld` prove that the server did nothing. */
export type OutboundResponse =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Names in lower case; of a repeated header the first value. */
      readonly headers: Readonly<Record<string, string | undefined>>;
      /** Parsed JSON, with integers beyond 2⁵³ as text; undefined when the body is no JSON. */
      readonly body: unknown;
    }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'withheld' }
  | { readonly kind: 'no-answer'; readonly reason: string };

/** More than any response that this service reads. */
const MAX_RESPONSE_BYTES = 1_048_576;
const CONNECT_TIMEOUT_MS = 3_000;

/**
 * Calls to networks: pooled connections, bounded time and size, no redirects, no hidden repeats. Over HTTP/2 undici sends a
 * POST again by itself after REFUSED_STREAM or GOAWAY, hence HTTP/1.1 only, where it ends in an error whatever was written.
 */
@Injectable()
export class OutboundHttp implements OnApplicationShutdown {
  private readonly agent: Agent;
  private readonly dispatcher: Dispatcher;

  constructor(private readonly config: OutboundHttpConfig) {
    this.agent = new Agent({
      connections: config.connections,
      pipelining: 1,
      allowH2: false,
      connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, config.timeoutMs) },
      // Each call has a limit of its own, which covers the time in the queue too.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.dispatcher = this.agent.compose(markWhenSent);
  }

  /** Never rejects. */
  async send(request: OutboundRequest): Promise<OutboundResponse> {
    const { url, method, headers, body, maySend, maxResponseBytes = MAX_RESPONSE_BYTES } = request;
    const mark: SendMark = { sent: false, withheld: false, maySend: maySend ?? (() => true) };
    const limit = new TimeLimit(this.timeoutOf(request));
    const isStream = isStreamed(body);
    try {
      const response = await this.dispatcher.request({
        ...addressOf(url),
        method,
        headers: {
          accept: 'application/json',
          ...(isStream && { 'content-length': String(body.length) }),
          ...headers,
        },
        body: isStream ? readableOf(body, () => limit.restart()) : body,
        signal: limit.signal,
        opaque: mark,
      });
      const text = await textOf(response.body, maxResponseBytes);
      return {
        kind: 'answered',
        status: response.statusCode,
        headers: flat(response.headers),
        body: parsed(text),
      };
    } catch (error) {
      if (mark.withheld) return { kind: 'withheld' };
      return { kind: mark.sent ? 'no-answer' : 'not-sent', reason: reasonOf(error) };
    } finally {
      limit.end();
    }
  }

  private timeoutOf({ timeoutMs = this.config.timeoutMs, maySend }: OutboundRequest): number {
    return maySend ? Math.min(timeoutMs, this.config.timeoutMs) : timeoutMs;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.close();
  }
}

/** @throws ResponseIsTooLong when the limit ended the response */
async function textOf(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new ResponseIsTooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

class ResponseIsTooLong extends Error {
  readonly code = 'ANSWER_TOO_LONG';
}

function addressOf(url: string): { origin: string; path: string } {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
}

const LONG_NUMBER = /\d{16}/;

/** Ids of some networks are 64-bit integers; those that a number cannot represent stay text. */
function parsed(text: string): unknown {
  try {
    return LONG_NUMBER.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `source` is the number as it is written (TC39 JSON.parse source text access, in Node since 21). */
function exactly(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const { source } = context ?? {};
  const isExact = typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined;
  return isExact || !/^-?\d+$/.test(source) ? value : source;
}

/** The system's or undici's code, such as ECONNREFUSED or UND_ERR_HEADERS_TIMEOUT; never the address. */
function reasonOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: string };
  return typeof code === 'string' ? code : (name ?? 'unknown');
}
