import { CompletionFold } from '../wires/completion-wire.js';
import type { Usage } from '../../usage/spend/quantities.js';
import type { SseItem } from '../wires/sse-reader.js';
import { MAX_TOOL_CALLS } from '../wires/finish.js';
import { isRecord, json, type Members, text } from '../wires/values.js';
import type { CompletionPart, Counted } from '../wires/wire.js';
import { blockReasonOf, endOf, generatedIn } from './generate-response.js';
import { googleFailure } from './google-failures.js';
import { googleUsage, hasOutputCount } from './google-usage.js';

/**
 * The chunks of `streamGenerateContent?alt=sse`. There is no terminal event: the end of the body after a `finishReason` is the end. The
 * usage is that of the last chunk with one.
 */
export class GenerateStream extends CompletionFold {
  private usage: Usage | null = null;
  private isUsageFinal = false;
  private isOutputCounted = false;
  private finishReason: string | null = null;
  private blockReason: string | null = null;
  private calls = 0;

  counted(): Counted {
    const { usage, isUsageFinal, isOutputCounted } = this;
    if (isUsageFinal) return { usage };
    return { usage: null, soFar: usage, ...(isOutputCounted && { isOutputCounted }) };
  }

  *read(item: SseItem): Generator<CompletionPart, void, undefined> {
    const chunk = item.kind === 'event' ? json(item.data) : item.body;
    if (item.kind === 'bare' || (isRecord(chunk) && 'error' in chunk))
      return yield this.failed(googleFailure(this.reply(chunk), this.secret));
    if (!isRecord(chunk)) return yield this.failed(this.failure('unreadable'));
    yield* this.readChunk(chunk);
  }

  private *readChunk(chunk: Members): Generator<CompletionPart, void, undefined> {
    this.model = text(chunk.modelVersion) ?? this.model;
    this.id = text(chunk.responseId) ?? this.id;
    this.blockReason = blockReasonOf(chunk) ?? this.blockReason;
    const generated = generatedIn(chunk);
    if (generated === null) return yield this.failed(this.failure('unreadable'));
    this.finishReason = generated.finishReason ?? this.finishReason;
    this.count(chunk.usageMetadata);
    this.hasText ||= generated.text !== '';
    this.hasUnread ||= generated.hasUnread;
    if (generated.text !== '') yield { kind: 'text', text: generated.text };
    for (const { id, name, arguments: source } of generated.toolCalls) {
      if (this.calls >= MAX_TOOL_CALLS) return yield this.failed(this.failure('unreadable'));
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

  override ended(): CompletionPart | null {
    const { model, usage, id: requestId, hasText, hasUnread } = this;
    if (this.blockReason !== null) return this.failed(this.failure('policy', this.blockReason), { usage });
    if (this.finishReason === null) return null;
    const end = endOf(this.finishReason, { hasText, hasCalls: this.calls > 0, hasUnread });
    return end === 'policy' || end === 'unreadable'
      ? this.failed(this.failure(end, this.finishReason), { usage })
      : { kind: 'end', finishReason: end, model, usage, requestId };
  }
}
