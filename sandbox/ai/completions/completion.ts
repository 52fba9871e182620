import type { Answer } from '../answers/answer.js';
import type { Prompt } from '../answers/prompt.js';
import type { PictureOrder } from '../pictures/drawing.js';
import type { BilledUsage } from '../provider/bill.js';
import type { AiModel } from '../provider/models.js';
import type { ProviderCall } from '../provider/provider-call.js';

/** A request for a completion as its wire says it. */
export interface AskedCompletion {
  readonly model: string;
  readonly prompt: Prompt;
  readonly isStreamed: boolean;
  /** The stream is to end with the usage. */
  readonly wantsUsage: boolean;
  /** What the provider may cache of the prompt; null: nothing. */
  readonly cacheable: string | null;
  readonly picture: Omit<PictureOrder, 'prompt' | 'index'> | null;
}

export interface DrawnPicture {
  readonly bytes: Buffer;
  readonly mediaType: string;
}

/** A completion before it is written in the words of a wire. */
export interface MadeCompletion {
  readonly asked: AskedCompletion;
  readonly model: AiModel;
  readonly requestId: string;
  readonly at: Date;
  readonly answer: Answer;
  readonly picture: DrawnPicture | null;
  /** As the response says it; null: it does not. */
  readonly usage: BilledUsage | null;
  /** Reasoning is part of the output tokens of `usage`. */
  readonly reasoningTokens: number;
  /** A fault removed the answer. */
  readonly isEmpty: boolean;
  readonly tokensPerPart: number;
}

export interface StreamEvent {
  readonly text: string;
  /** `content` is text or a part of a tool call; `end` tells that the answer is complete; `frame` is everything before and between. */
  readonly kind: 'frame' | 'content' | 'end' | 'usage' | 'terminal';
  readonly tokens: number;
}

export interface CompletionWire {
  /** @throws ProviderRefuses when the request is malformed */
  read(exchange: ProviderCall): AskedCompletion;
  /** The provider refuses before the model writes, so that a refusal has no words. */
  readonly refusesWithoutWords?: boolean;
  whole(made: MadeCompletion): unknown;
  events(made: MadeCompletion): Iterable<StreamEvent>;
  /** An error after the stream began. @param body as of a response */
  errorEvent(body: unknown): string;
  /** Which of its limits a request breaks that is well formed. @throws ProviderRefuses */
  check?(asked: AskedCompletion, model: AiModel, exchange: ProviderCall): void;
}
