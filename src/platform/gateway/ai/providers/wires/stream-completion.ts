import type { OutboundHeaders, ResponseBody } from '#libs/outbound-http';
import {
  type AiHttp,
  gatewayRefusal,
  isSuccess,
  open,
  readingFailure,
  type Reply,
  type WireRequest,
} from './exchange.js';
import { type Failure, failureOf } from './failure.js';
import { SseEventIsTooLong, type SseItem, SseReader } from './sse-reader.js';
import { json } from './values.js';
import type { CompletionPart, Counted, WireCall } from './wire.js';

/** Folds the events of one streamed response into parts. */
export interface StreamFold {
  /** A part of kind `end` or `failed` is the last: the rest of the response is not read. */
  read(item: SseItem): Iterable<CompletionPart>;
  /** The body ended by itself. null: it has no terminal sign, so it was cut. */
  ended(): CompletionPart | null;
  counted(): Counted;
  requestId(): string | null;
}

interface StreamWire {
  fold(headers: OutboundHeaders, secret: string): StreamFold;
  failure(reply: Reply, secret: string): Failure;
  requestId(reply: Reply): string | null;
}

const MAX_REFUSAL_BYTES = 1_048_576;
const DRAIN_MS = 1_000;
const MAX_DRAINED_BYTES = 65_536;

/** One streamed request. Its last part, and no other, is of kind `end` or `failed`. Never throws. */
export async function* streamParts(
  http: AiHttp,
  call: WireCall,
  request: WireRequest,
  wire: StreamWire,
): AsyncGenerator<CompletionPart, void, undefined> {
  const headers = { ...request.headers, accept: 'text/event-stream' };
  const response = await open(http, call, { ...request, headers });
  if (response.kind === 'failed') return yield failed(response.failure);
  if (isSuccess(response.status) && isEventStream(response.headers)) {
    const fold = wire.fold(response.headers, call.secret);
    return yield* partsOf(response.body, fold, response.status, call);
  }
  const bytes = await response.body.bytes(MAX_REFUSAL_BYTES).catch((error: unknown) => error);
  if (!Buffer.isBuffer(bytes) && isSuccess(response.status))
    return yield failed(readingFailure(bytes, response.status, call.secret));
  const body = Buffer.isBuffer(bytes) ? json(bytes.toString('utf8')) : undefined;
  const reply = { status: response.status, headers: response.headers, body };
  const refusal = gatewayRefusal(http, reply, call.secret);
  yield refusal ? failed(refusal) : failed(wire.failure(reply, call.secret), wire.requestId(reply));
}

const failed = (failure: Failure, requestId: string | null = null): CompletionPart => ({
  kind: 'failed',
  failure,
  usage: null,
  requestId,
});

const isLast = ({ kind }: CompletionPart) => kind === 'end' || kind === 'failed';

/** An absent type is read as events: some gateways leave it out. */
const isEventStream = ({ 'content-type': type }: OutboundHeaders) =>
  type === undefined || /^\s*text\/event-stream\s*(;|$)/i.test(type);

/** Ending the iteration before the last part ends the request. */
async function* partsOf(
  body: ResponseBody,
  fold: StreamFold,
  status: number,
  { secret, counted }: WireCall,
): AsyncGenerator<CompletionPart, void, undefined> {
  const cut = (failure: Failure) => ({ ...failed(failure, fold.requestId()), ...fold.counted() });
  const chunks = body[Symbol.asyncIterator]();
  const reader = new SseReader();
  let isWhole = false;
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      for (const item of reader.push(next.value)) {
        for (const part of fold.read(item)) {
          isWhole = part.kind === 'end';
          yield part;
          if (isLast(part)) return;
        }
      }
    }
    isWhole = true;
    yield fold.ended() ?? cut(failureOf('no-answer', { status, code: 'STREAM_CUT', secret }));
  } catch (error) {
    const isTooLong = error instanceof SseEventIsTooLong;
    const failure = isTooLong
      ? failureOf('unreadable', { status, code: error.code, secret })
      : readingFailure(error, status, secret);
    yield cut(failure);
  } finally {
    counted?.({ ...fold.counted(), requestId: fold.requestId() });
    if (isWhole) void drain(body, chunks);
    else body.discard();
  }
}

/** Reads what follows the terminal sign, so that the connection can be used again. */
async function drain(body: ResponseBody, chunks: AsyncIterator<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => body.discard(), DRAIN_MS);
  let bytes = 0;
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      bytes += next.value.length;
      if (bytes > MAX_DRAINED_BYTES) break;
    }
  } catch {
    // The response was complete; only its connection is lost.
  } finally {
    clearTimeout(timer);
    body.discard();
  }
}
