import { Injectable } from '@nestjs/common';
import {
  type OutboundHeaders,
  OutboundHttp,
  type OutboundRequest,
  type OutboundStream,
  ResponseIsTooLong,
} from '#libs/outbound-http';
import { AiTransportConfig } from './ai-transport.config.js';
import { type Failure, failureOf } from './failure.js';
import { parseWithLongStrings } from './long-strings.js';
import { isRecord, json } from './values.js';
import type { Calling } from './wire.js';

const TIMEOUT_MS = 60_000;

/** Connections to AI providers. They are apart from other connections, because streams hold them for minutes. */
@Injectable()
export class AiHttp extends OutboundHttp {
  readonly idleTimeoutMs: number;
  /** Whether an AI gateway is in front of the providers. */
  readonly isBehindGateway: boolean;

  constructor({ connections, idleTimeoutMs, gatewayUrl }: AiTransportConfig) {
    super({ connections, timeoutMs: TIMEOUT_MS });
    this.idleTimeoutMs = idleTimeoutMs;
    this.isBehindGateway = gatewayUrl !== undefined;
  }
}

export interface Reply {
  readonly status: number;
  readonly headers: OutboundHeaders;
  /** Parsed; undefined for text that is no JSON. */
  readonly body: unknown;
}

export interface WireRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base URL. */
  readonly path: string;
  /** Authentication included. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: OutboundRequest['body'];
  /** Of the response. Default 16 MiB. */
  readonly maxBytes?: number;
  /** Long strings of the response become `LongString`. */
  readonly hasLongStrings?: boolean;
}

export type Exchanged =
  | { readonly kind: 'replied'; readonly reply: Reply }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** More than any text of a model. */
const MAX_BYTES = 16 * 1_048_576;

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

export const posted = (path: string, headers: WireRequest['headers'], body: object): WireRequest => ({
  method: 'POST',
  path,
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** One request and its whole response. Never rejects. */
export async function exchange(http: AiHttp, call: Calling, request: WireRequest): Promise<Exchanged> {
  const response = await open(http, call, request);
  if (response.kind === 'failed') return response;
  const { status, headers, body } = response;
  try {
    const bytes = await body.bytes(request.maxBytes ?? MAX_BYTES);
    const parsed = request.hasLongStrings ? parseWithLongStrings(bytes) : json(bytes.toString('utf8'));
    const reply = { status, headers, body: parsed };
    const failure = gatewayRefusal(http, reply, call.secret);
    return failure ? { kind: 'failed', failure } : { kind: 'replied', reply };
  } catch (error) {
    // A refusal is a refusal without its words too.
    if (!isSuccess(status)) return { kind: 'replied', reply: { status, headers, body: undefined } };
    return { kind: 'failed', failure: readingFailure(error, status, call.secret) };
  }
}

type Opened =
  (OutboundStream & { readonly kind: 'answered' }) | { readonly kind: 'failed'; readonly failure: Failure };

/** One request up to the head of its response. Never rejects. */
export async function open(http: AiHttp, call: Calling, request: WireRequest): Promise<Opened> {
  const { method, path, headers, body } = request;
  const response = await http.stream({
    method,
    url: call.baseUrl + path,
    headers: { ...call.headers, ...headers },
    body,
    signal: call.signal,
    timeoutMs: call.timeoutMs,
    idleTimeoutMs: http.idleTimeoutMs,
  });
  if (response.kind === 'answered') return response;
  const kind = response.kind === 'no-answer' ? 'no-answer' : 'not-sent';
  const code = response.kind === 'withheld' ? null : response.reason;
  return { kind: 'failed', failure: failureOf(kind, { status: null, code, secret: call.secret }) };
}

/**
 * Of an AI gateway in front of the provider that does not accept its token: the provider was not asked, and its key is not at fault. Each
 * provider writes its refusals as `error`. null: the reply is the provider's.
 */
export function gatewayRefusal(
  { isBehindGateway }: AiHttp,
  { status, body }: Reply,
  secret: string,
): Failure | null {
  if (!isBehindGateway) return null;
  const isRefusal = (status === 401 || status === 403) && isRecord(body) && !('error' in body);
  return isRefusal ? failureOf('not-sent', { status, code: 'AI_GATEWAY_REFUSED', secret }) : null;
}

export function readingFailure(error: unknown, status: number, secret: string): Failure {
  const kind = error instanceof ResponseIsTooLong ? 'unreadable' : 'no-answer';
  return failureOf(kind, { status, code: (error as { code?: unknown }).code, secret });
}
