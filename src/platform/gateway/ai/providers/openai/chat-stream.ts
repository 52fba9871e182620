import { CompletionFold } from '../wires/completion-wire.js';
import type { Failure } from '../wires/failure.js';
import type { Usage } from '../../usage/spend/quantities.js';
import type { NanoDollars } from '../../usage/spend/spend-ledger.js';
import type { SseItem } from '../wires/sse-reader.js';
import { MAX_TOOL_CALLS } from '../wires/finish.js';
import { count, isRecord, json, list, type Members, record, text } from '../wires/values.js';
import type { CompletionPart, Counted } from '../wires/wire.js';
import { contentIn, finishOf } from './chat-response.js';
import { openAiFailure } from './openai-failures.js';
import { billedIn, chatUsage } from './openai-usage.js';

/** Characters that are kept for the failure. */
const MAX_REFUSAL = 1_000;

/**
 * The events of a streamed chat completion: chunks, a `finish_reason`, the usage in a chunk without choices, and `[DONE]`. The usage is the
 * last one: some providers repeat it, counted up.
 */
export class ChatStream extends CompletionFold {
  private reason: unknown = null;
  private usage: Usage | null = null;
  private isUsageFinal = false;
  private billed: { readonly billed?: NanoDollars } = {};
  private refusal = '';
  /** By its index, whether a call is read: the first part of one that is not has no function, or no id. */
  private readonly calls = new Map<number, boolean>();

  counted(): Counted {
    return this.isUsageFinal ? { usage: this.usage, ...this.billed } : { usage: null, soFar: this.usage };
  }

  override requestId(): string | null {
    return this.headers['x-request-id'] ?? this.id;
  }

  *read(item: SseItem): Generator<CompletionPart, void, undefined> {
    if (item.kind === 'event' && item.data.trim() === '[DONE]') return yield this.last();
    const chunk = item.kind === 'event' ? json(item.data) : item.body;
    if (!isRecord(chunk)) return yield this.failed(this.failure('unreadable'));
    const isError = item.kind === 'event' && item.event === 'error';
    if (isError || item.kind === 'bare' || (chunk.error ?? null) !== null)
      return yield this.failed(this.failureIn('error' in chunk ? chunk : { error: chunk }));
    this.model = text(chunk.model) ?? this.model;
    this.id = text(chunk.id) ?? this.id;
    const choice = list(chunk.choices).find((one) => (record(one).index ?? 0) === 0);
    this.reason = text(record(choice).finish_reason) ?? this.reason;
    this.count(chunk.usage, choice === undefined);
    if (choice !== undefined) yield* this.readChoice(record(choice));
  }

  /** Final is what arrives with the reason of the end or after it, or in a chunk of its own. */
  private count(counts: unknown, isAlone: boolean): void {
    const usage = chatUsage(counts);
    if (usage === null) return;
    this.billed = billedIn(counts);
    this.usage = usage;
    this.isUsageFinal = isAlone || this.reason !== null;
  }

  private *readChoice(choice: Members): Generator<CompletionPart, void, undefined> {
    if (choice.finish_reason === 'error' || isRecord(choice.error))
      return yield this.failed(this.failureIn({ error: choice.error }));
    const delta = record(choice.delta);
    const content = contentIn(delta.content);
    this.hasUnread ||= content.hasUnread;
    if (content.text !== '') {
      this.hasText = true;
      yield { kind: 'text', text: content.text };
    }
    if (this.refusal.length < MAX_REFUSAL) this.refusal += text(delta.refusal) ?? content.refusal ?? '';
    for (const call of list(delta.tool_calls)) {
      const at = count(record(call).index);
      if (at !== null && at >= MAX_TOOL_CALLS) return yield this.failed(this.failure('unreadable'));
      const part = at === null ? null : this.toolPart(at, record(call));
      if (part) yield part;
      else this.hasUnread = true;
    }
  }

  /** null: of a call that is not read. Some providers repeat id and name in each part of a call. */
  private toolPart(at: number, { id, function: called }: Members): CompletionPart | null {
    const { name, arguments: source } = record(called);
    const isFirst = !this.calls.has(at);
    if (isFirst) this.calls.set(at, text(id) !== null && text(name) !== null);
    if (!this.calls.get(at)) return null;
    return {
      kind: 'tool',
      index: at,
      id: isFirst ? text(id) : null,
      name: isFirst ? text(name) : null,
      arguments: text(source) ?? '',
    };
  }

  private last(): CompletionPart {
    if (this.refusal !== '') return this.refused('refusal', this.refusal);
    const { hasText, hasUnread, model, usage } = this;
    const hasCalls = [...this.calls.values()].includes(true);
    const finishReason = finishOf(this.reason, { hasText, hasCalls, hasUnread });
    if (finishReason === null) return this.failed(this.failure('unreadable', text(this.reason)));
    if (finishReason === 'content_filter' && !hasText && !hasCalls) return this.refused('content_filter');
    return { kind: 'end', finishReason, model, usage, ...this.billed, requestId: this.requestId() };
  }

  private failureIn(body: unknown): Failure {
    return openAiFailure(this.reply(body), this.secret);
  }

  private refused(code: string, message?: string): CompletionPart {
    return this.failed(this.failure('policy', code, message), { usage: this.usage, ...this.billed });
  }
}
