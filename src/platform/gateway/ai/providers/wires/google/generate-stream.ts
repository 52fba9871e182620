import type { OutboundHeaders } from '#libs/outbound-http';
import type { Failure } from '../failure.js';
import type { Usage } from '../../../usage/spend/quantities.js';
import { failureOf } from '../failures.js';
import type { SseItem } from '../sse-reader.js';
import type { StreamFold } from '../stream-completion.js';
import { MAX_TOOL_CALLS } from '../tool-calls.js';
import { isRecord, json, type Members, text } from '../values.js';
import type { CompletionPart, Counted } from '../wire.js';
import { blockReasonOf, endOf, generatedIn } from './generate-response.js';
import { googleFailure } from './google-failures.js';
import { googleUsage, hasOutputCount } from './google-usage.js';

const STATUS = 200;

/**
 * The chunks of `streamGenerateContent?alt=sse`. There is no terminal event: the end of the body after a `finishReason` is the end. The
 * usage is that of the last chunk with one.
 */
export class GenerateStream implements StreamFold {
  private usage: Usage | null = null;
  private isUsageFinal = false;
  private isOutputCounted = false;
  private model: string | null = null;
  private id: string | null = null;
  private finishReason: string | null = null;
  private blockReason: string | null = null;
  private hasText = false;
  private hasUnread = false;
  private calls = 0;

  constructor(
    private readonly headers: OutboundHeaders,
    private readonly secret: string,
  ) {}

  counted(): Counted {
    const { usage, isUsageFinal, isOutputCounted } = this;
    if (isUsageFinal) return { usage };
    return { usage: null, soFar: usage, ...(isOutputCounted && { isOutputCounted }) };
  }

  requestId(): string | null {
    return this.id;
  }

  *read(item: SseItem): Generator<CompletionPart, void, undefined> {
    const chunk = item.kind === 'event' ? json(item.data) : item.body;
    if (item.kind === 'bare' || (isRecord(chunk) && 'error' in chunk)) {
      const reply = { status: STATUS, headers: this.headers, body: chunk };
      return yield this.failed(googleFailure(reply, this.secret));
    }
    if (!isRecord(chunk)) return yield this.failed(this.failure('unreadable', null));
    yield* this.readChunk(chunk);
  }

  private *readChunk(chunk: Members): Generator<CompletionPart, void, undefined> {
    this.model = text(chunk.modelVersion) ?? this.model;
    this.id = text(chunk.responseId) ?? this.id;
    this.blockReason = blockReasonOf(chunk) ?? this.blockReason;
    const generated = generatedIn(chunk);
    if (generated === null) return yield this.failed(this.failure('unreadable', null));
    this.finishReason = generated.finishReason ?? this.finishReason;
    this.count(chunk.usageMetadata);
    this.hasText ||= generated.text !== '';
    this.hasUnread ||= generated.hasUnread;
    if (generated.text !== '') yield { kind: 'text', text: generated.text };
    for (const { id, name, arguments: source } of generated.toolCalls) {
      if (this.calls >= MAX_TOOL_CALLS) return yield this.failed(this.failure('unreadable', null));
      yield { kind: 'tool', index: this.calls, id, name, arguments: source };
      this.calls += 1;
    }
  }

  /** Each count is of everything up to its chunk. */
  private count(metadata: unknown): void {
    const usage = googleUsage(metadata);
    if (usage === null) return;
    this.usage = usage;
    this.isUsageFinal = this.finishReason !== null;
    this.isOutputCounted = hasOutputCount(metadata);
  }

  ended(): CompletionPart | null {
    const { model, usage, id: requestId } = this;
    if (this.blockReason !== null) {
      const failure = this.failure('policy', this.blockReason);
      return { kind: 'failed', failure, usage, requestId };
    }
    if (this.finishReason === null) return null;
    const { hasText, hasUnread } = this;
    const end = endOf(this.finishReason, { hasText, hasCalls: this.calls > 0, hasUnread });
    if (end === 'policy' || end === 'unreadable') {
      const failure = this.failure(end, this.finishReason);
      return { kind: 'failed', failure, usage, requestId };
    }
    return { kind: 'end', finishReason: end, model, usage, requestId };
  }

  private failure(kind: 'unreadable' | 'policy', code: string | null): Failure {
    return failureOf(kind, { status: STATUS, code, secret: this.secret });
  }

  private failed(failure: Failure): CompletionPart {
    return { kind: 'failed', failure, ...this.counted(), requestId: this.id };
  }
}
