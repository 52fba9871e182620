import type { OnApplicationShutdown } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Agent } from 'undici';
import type { Dispatcher } from 'undici';
import { OutboundHttpConfig } from './outbound-http.config.js';
import { markWhenSent } from './mark-when-sent.js';
import type { SendMark } from './mark-when-sent.js';

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Asked right before the request is written to a connection; false: it is not written. */
  readonly maySend?: () => boolean;
}

/** What became of a request. Only after `not-sent` and `withheld` is it certain that the other side did nothing. */
export type OutboundAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | undefined>>;
      /** Parsed JSON; undefined when the body is no JSON. */
      readonly body: unknown;
    }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'withheld' }
  | { readonly kind: 'no-answer'; readonly reason: string };

/** More than any answer of an API this service reads. */
const MAX_ANSWER_BYTES = 1_048_576;
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
      headersTimeout: config.timeoutMs,
      bodyTimeout: config.timeoutMs,
      maxResponseSize: MAX_ANSWER_BYTES,
    });
    this.dispatcher = this.agent.compose(markWhenSent);
  }

  /** Milliseconds after which every call has an answer or an end. */
  get timeoutMs(): number {
    return this.config.timeoutMs;
  }

  /** Never rejects. */
  async send(request: OutboundRequest): Promise<OutboundAnswer> {
    const mark: SendMark = { sent: false, withheld: false, maySend: request.maySend ?? (() => true) };
    try {
      const { statusCode, headers, body } = await this.dispatcher.request({
        ...addressOf(request.url),
        method: request.method,
        headers: { accept: 'application/json', ...request.headers },
        body: request.body,
        signal: AbortSignal.timeout(this.config.timeoutMs),
        opaque: mark,
      });
      const text = await body.text();
      return { kind: 'answered', status: statusCode, headers: flat(headers), body: parsed(text) };
    } catch (error) {
      if (mark.withheld) return { kind: 'withheld' };
      return { kind: mark.sent ? 'no-answer' : 'not-sent', reason: reasonOf(error) };
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.close();
  }
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The system's or undici's code, such as ECONNREFUSED or UND_ERR_HEADERS_TIMEOUT; never the address. */
function reasonOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: string };
  return typeof code === 'string' ? code : (name ?? 'unknown');
}
