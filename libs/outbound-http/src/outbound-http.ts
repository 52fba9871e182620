import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, type Dispatcher } from 'undici';
import { OutboundHttpConfig } from './outbound-http.config.js';
import { markWhenSent, type SendMark } from './mark-when-sent.js';
import { firstValues, type OutboundHeaders } from './outbound-headers.js';
import { parsedJson } from './parsed-json.js';
import { reasonOf } from './reason.js';
import { ResponseBody } from './response-body.js';
import { isStreamed, readableOf, type StreamedBody } from './streamed-body.js';
import { aborted, TimeLimit } from './time-limit.js';

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
  /** Of `send` only. A longer response counts as `no-answer`. Default 1 MiB. */
  readonly maxResponseBytes?: number;
  /**
   * Of `send` only. Awaited before the body of a response is read, with its length if the server says so: for callers that bound the
   * memory of large responses. It must not reject.
   */
  readonly beforeBody?: (bytes: number | null) => Promise<void>;
  /** Called right before the request is written to a connection; false: it is not written. */
  readonly maySend?: () => boolean;
  /** Ends the call, also while it waits for a connection. */
  readonly signal?: AbortSignal;
  /** Of `stream` only: maximum milliseconds between two reads of the response body that bring bytes. Default: no limit. */
  readonly idleTimeoutMs?: number;
}

/** Only these prove that the server did nothing. */
type Unsent = { readonly kind: 'not-sent'; readonly reason: string } | { readonly kind: 'withheld' };
interface Unanswered {
  readonly kind: 'no-answer';
  readonly reason: string;
}

/** The outcome of a request. Only `not-sent` and `withheld` prove that the server did nothing. */
export type OutboundResponse =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: OutboundHeaders;
      /** Parsed JSON, with integers beyond 2⁵³ as text; undefined when the body is no JSON. */
      readonly body: unknown;
    }
  | Unsent
  | Unanswered;

/** As `OutboundResponse`, with a body that is still to be read or discarded. */
export type OutboundStream =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: OutboundHeaders;
      readonly body: ResponseBody;
    }
  | Unsent
  | Unanswered;

/** More than any response that `send` reads by default. */
const MAX_RESPONSE_BYTES = 1_048_576;
const CONNECT_TIMEOUT_MS = 3_000;
/** Bytes of one response that wait to be read; thousands of responses can be open at a time. */
const BUFFERED_BYTES = 16_384;

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
    const response = await this.stream(request);
    if (response.kind !== 'answered') return response;
    try {
      await request.beforeBody?.(lengthIn(response.headers));
      const bytes = await response.body.bytes(request.maxResponseBytes ?? MAX_RESPONSE_BYTES);
      return { ...response, body: parsedJson(bytes.toString('utf8')) };
    } catch (error) {
      return { kind: 'no-answer', reason: reasonOf(error) };
    }
  }

  /**
   * Resolves when the head of the response has arrived. The time limit of the call covers the body too. Never rejects; reading the
   * body can.
   */
  async stream(request: OutboundRequest): Promise<OutboundStream> {
    const { idleTimeoutMs, maySend = () => true } = request;
    const mark: SendMark = { sent: false, withheld: false, maySend };
    const limit = new TimeLimit(this.timeoutOf(request), request.signal);
    try {
      const sent = this.dispatcher.request(optionsOf(request, mark, limit));
      const response = await Promise.race([sent, aborted(limit.signal)]);
      const idle = idleTimeoutMs === undefined ? null : new TimeLimit(idleTimeoutMs);
      return {
        kind: 'answered',
        status: response.statusCode,
        headers: firstValues(response.headers),
        body: new ResponseBody(response.body, limit, idle),
      };
    } catch (error) {
      limit.end();
      if (mark.withheld) return { kind: 'withheld' };
      return { kind: mark.sent ? 'no-answer' : 'not-sent', reason: reasonOf(error) };
    }
  }

  private timeoutOf({ timeoutMs = this.config.timeoutMs, maySend }: OutboundRequest): number {
    return maySend ? Math.min(timeoutMs, this.config.timeoutMs) : timeoutMs;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.close();
  }
}

function lengthIn({ 'content-length': written }: OutboundHeaders): number | null {
  return written === undefined ? null : Number(written);
}

function optionsOf(
  { url, method, headers, body }: OutboundRequest,
  mark: SendMark,
  limit: TimeLimit,
): Dispatcher.RequestOptions<SendMark> {
  const isStream = isStreamed(body);
  return {
    ...addressOf(url),
    method,
    headers: {
      accept: 'application/json',
      // Without it, a server may choose any coding (RFC 9110, 12.5.3), and no response is decoded here.
      'accept-encoding': 'identity',
      ...(isStream && { 'content-length': String(body.length) }),
      ...headers,
    },
    body: isStream ? readableOf(body, () => limit.restart()) : body,
    signal: limit.signal,
    opaque: mark,
    highWaterMark: BUFFERED_BYTES,
  };
}

function addressOf(url: string): { origin: string; path: string } {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}
