import { CompletionFold } from '../wires/completion-wire.js';
import type { Failure } from '../wires/failure.js';
import type { SseItem } from '../wires/sse-reader.js';
import { MAX_TOOL_CALLS } from '../wires/finish.js';
import { count, isRecord, json, type Members, record, text } from '../wires/values.js';
import type { CompletionPart, Counted } from '../wires/wire.js';
import { anthropicFailure, anthropicUsage, finishOf, laterUsage, refusalOf } from './messages-response.js';

/** The events of a streamed message, from `message_start` to `message_stop`. `ping` and events of other types can come anywhere. */
export class MessagesStream extends CompletionFold {
  private counts: Members = {};
  private isUsageFinal = false;
  private stopReason: unknown = null;
  private stopDetails: unknown = null;
  /** The position of a call among the calls, by the index of its block. */
  private readonly calls = new Map<number, number>();

  counted(): Counted {
    const usage = anthropicUsage(this.counts);
    return this.isUsageFinal ? { usage } : { usage: null, soFar: usage };
  }

  override requestId(): string | null {
    return this.headers['request-id'] ?? this.id;
  }

  *read(item: SseItem): Generator<CompletionPart, void, undefined> {
    const event = item.kind === 'event' ? json(item.data) : item.body;
    if (!isRecord(event)) return yield this.failed(this.unreadable());
    if (event.type === 'error' || isRecord(event.error))
      return yield this.failed(anthropicFailure(this.reply(event), this.secret));
    if (event.type === 'message_start') this.start(record(event.message));
    if (event.type === 'content_block_start') yield* this.startBlock(event);
    if (event.type === 'content_block_delta') yield* this.delta(event);
    if (event.type === 'message_delta') this.change(event);
    if (event.type === 'message_stop') yield this.last();
  }

  private start({ id, model, usage }: Members): void {
    this.id = text(id);
    this.model = text(model);
    this.counts = laterUsage(this.counts, usage);
  }

  private change({ delta, usage }: Members): void {
    const { stop_reason: reason, stop_details: details } = record(delta);
    this.stopReason = reason ?? this.stopReason;
    this.stopDetails = details ?? this.stopDetails;
    this.counts = laterUsage(this.counts, usage);
    this.isUsageFinal ||= text(reason) !== null && count(record(usage).output_tokens) !== null;
  }

  private *startBlock({ index, content_block: block }: Members): Generator<CompletionPart, void, undefined> {
    const { type, id, name, text: words, input } = record(block);
    if (type === 'text') yield* this.words(words);
    if (type !== 'tool_use') return;
    const at = count(index);
    const position = this.calls.size;
    const [callId, called] = [text(id), text(name)];
    if (position >= MAX_TOOL_CALLS || (at !== null && this.calls.has(at)))
      return yield this.failed(this.unreadable());
    if (at === null || callId === null || called === null) {
      this.hasUnread = true;
      return;
    }
    this.calls.set(at, position);
    const source = isRecord(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : '';
    yield { kind: 'tool', index: position, id: callId, name: called, arguments: source };
  }

  private *words(value: unknown): Generator<CompletionPart, void, undefined> {
    const words = text(value);
    if (words === null) return;
    this.hasText = true;
    yield { kind: 'text', text: words };
  }

  private *delta({ index, delta }: Members): Generator<CompletionPart, void, undefined> {
    const { type, text: words, partial_json: source } = record(delta);
    if (type === 'text_delta') yield* this.words(words);
    if (type !== 'input_json_delta' || text(source) === null) return;
    // Blocks of other types than `tool_use` have such deltas too.
    const position = this.calls.get(count(index) ?? -1);
    if (position === undefined) return;
    yield { kind: 'tool', index: position, id: null, name: null, arguments: source as string };
  }

  private last(): CompletionPart {
    const { model, hasText, hasUnread } = this;
    const usage = anthropicUsage(this.counts);
    if (this.stopReason === 'refusal')
      return this.failed(refusalOf(this.stopDetails, 200, this.secret), { usage });
    const finishReason = finishOf(this.stopReason, { hasText, hasCalls: this.calls.size > 0, hasUnread });
    if (finishReason === null) return this.failed(this.unreadable());
    return { kind: 'end', finishReason, model, usage, requestId: this.requestId() };
  }

  private unreadable(): Failure {
    return this.failure('unreadable', text(this.stopReason));
  }
}
