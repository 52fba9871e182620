import { setImmediate as yieldToOthers, setTimeout as sleep } from 'node:timers/promises';
import { ConnectionIsCut, type ResponseStream, type SandboxResponse } from '../../wire/response.js';
import { type AiFault, BREAKING_STREAMS } from '../provider/ai-fault.js';
import type { BilledUsage } from '../provider/bill.js';
import type { Admitted, BilledCall, ProviderCall } from '../provider/provider-call.js';
import type { AiSettings } from '../provider/provider.js';
import type { CompletionWire, MadeCompletion, StreamEvent } from './completion.js';

export interface Streaming {
  readonly wire: CompletionWire;
  readonly admitted: Admitted;
  readonly made: MadeCompletion;
  /** Of the whole answer. */
  readonly usage: BilledUsage;
  readonly billed: BilledCall;
}

/** The stream of a completion. The bill counts the output that was passed on. */
export function streamOf(exchange: ProviderCall, streaming: Streaming): SandboxResponse {
  const stream: ResponseStream = {
    parts: (signal) => parts(exchange, streaming, signal),
    ended: (how) => exchange.ended(streaming.billed, how),
  };
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    body: '',
    effect: streaming.billed.effect,
    stream,
  };
}

async function* parts(
  exchange: ProviderCall,
  { wire, admitted, made, usage, billed }: Streaming,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const { settings } = exchange.provider;
  const breaking = new Breaking(admitted.fault);
  const pauseMs = admitted.fault?.kind === 'slow-parts' ? admitted.fault.delayMs : settings.partDelayMs;
  await exchange.think(admitted, billed);
  let sentTokens = made.reasoningTokens;
  let contents = 0;
  for (const event of wire.events(made)) {
    if (breaking.isDue(event, contents)) {
      const { body } = exchange.provider.nature.write({ kind: 'overloaded' }, exchange);
      yield* breaking.last(event, wire.errorEvent(body));
      return;
    }
    if (breaking.hides(event)) continue;
    if (event.kind === 'content' && (contents += 1) > 1 && pauseMs > 0)
      await sleep(pauseMs, undefined, { signal });
    yield* pieces(event.text, settings);
    sentTokens += event.tokens;
    billed.line.usage = { ...usage, outputTokens: Math.min(sentTokens, usage.outputTokens) };
  }
}

class Breaking {
  private readonly isBreaking: boolean;

  constructor(private readonly fault: AiFault | undefined) {
    const kinds: readonly string[] = BREAKING_STREAMS;
    this.isBreaking = fault !== undefined && kinds.includes(fault.kind);
  }

  /** Before the end of an answer that is shorter than the fault expects, at the latest. */
  isDue(event: StreamEvent, contents: number): boolean {
    if (!this.fault || !this.isBreaking || this.fault.kind === 'stream-without-usage') return false;
    if (event.kind !== 'content' && event.kind !== 'end') return false;
    if (contents < this.fault.afterParts && event.kind === 'content') return false;
    return (
      this.fault.kind !== 'stream-cut-in-character' || event.kind === 'end' || splitAt(bytesOf(event)) > 0
    );
  }

  hides({ kind }: StreamEvent): boolean {
    return (
      kind === 'usage' && (this.fault?.kind === 'stream-without-usage' || this.fault?.kind === 'no-usage')
    );
  }

  /** What is sent instead of the event. @throws ConnectionIsCut */
  *last(event: StreamEvent, error: string): Generator<Buffer> {
    if (this.fault?.kind === 'stream-ends-early') return;
    if (this.fault?.kind === 'stream-error') return void (yield Buffer.from(error, 'utf8'));
    const bytes = bytesOf(event);
    if (this.fault?.kind === 'stream-cut-in-character') yield bytes.subarray(0, splitAt(bytes));
    throw new ConnectionIsCut();
  }
}

const bytesOf = ({ text }: StreamEvent): Buffer => Buffer.from(text, 'utf8');

/** Behind the first byte of the first character that has several; 0 when there is none. */
const splitAt = (bytes: Buffer): number => bytes.findIndex((byte) => byte >= 0xc0) + 1;

const LINE_ENDS = { lf: '\n', crlf: '\r\n', cr: '\r' } as const;

async function* pieces(text: string, { lineEnd, splitsCharacters }: AiSettings): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(lineEnd === 'lf' ? text : text.replaceAll('\n', LINE_ENDS[lineEnd]), 'utf8');
  const split = splitsCharacters ? splitAt(bytes) : 0;
  if (split === 0) return void (yield bytes);
  yield bytes.subarray(0, split);
  // The two halves must not be written to the socket at once.
  await yieldToOthers();
  yield bytes.subarray(split);
}
