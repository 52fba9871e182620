import type { Usage } from '../../usage/spend/quantities.js';
import type { NanoDollars } from '../../usage/spend/spend-ledger.js';
import type { Failure } from './failure.js';
import type { CompletionRequest, ImageRequest, TranscriptionRequest } from './requests.js';

/**
 * What a model takes in a request, so that its wire renders requests for it. Requests grow, and so does this record: a member has a
 * value that fits every model of a provider by default.
 */
export interface Accepts {
  /** The highest that is taken; null: a temperature is refused. */
  readonly maxTemperature: number | null;
  /** Whether texts that end the output are taken. */
  readonly stop: boolean;
  /** `without-reasoning`: only in a request that asks for no reasoning. */
  readonly tools: 'always' | 'without-reasoning' | 'never';
  /** The dialect of `responseSchema`. `closed`: a part of JSON Schema whose objects name all of their properties. */
  readonly schema: 'any' | 'closed' | 'never';
  /** `steps`: in steps of 16 pixels; `three`: 1024 × 1024 and 1536 × 1024; `ratio`: of one size; `ratio-and-size`: also 2K and 4K. */
  readonly imageSizes: 'steps' | 'three' | 'ratio' | 'ratio-and-size';
  /** Calls of tools must come back with the signature of the thoughts that led to them. */
  readonly signatures: boolean;
}

/** What sources of the catalog say of a model; a member that is missing is not known. */
export type AcceptsFacts = Readonly<Partial<Record<'temperature' | 'stop' | 'tools' | 'schema', boolean>>>;

/** Where and as whom one attempt calls a provider. */
export interface WireCall {
  /** Without a slash at the end: the address of the provider, or its path at the AI gateway. */
  readonly baseUrl: string;
  /** Headers of the transport, for example the token of an AI gateway. */
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
  readonly model: string;
  readonly accepts: Accepts;
  /** Aborted when the caller left or the time for the whole request is over. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Called once when a stream ends or is left. */
  readonly counted?: (counted: Counted & { readonly requestId: string | null }) => void;
}

/** What the provider has counted of a stream. */
export interface Counted {
  /** The final count, which is what it bills; null: it has not arrived. */
  readonly usage: Usage | null;
  /** With `usage`: what the provider says that it charges. */
  readonly billed?: NanoDollars | null;
  /** The count before the final one: as a rule the whole input, and not all output. */
  readonly soFar?: Usage | null;
  /** `soFar` has the output up to then, hidden tokens included. */
  readonly isOutputCounted?: boolean;
}

export type Calling = Omit<WireCall, 'model' | 'accepts'>;

interface Consumed {
  /** null: the provider did not say, which is not zero. Of a failure: it is billed. */
  readonly usage: Usage | null;
  /** A part of the attempt may be billed and is not in `usage`. */
  readonly isUsagePartial?: boolean;
  /** What the provider says that it charges; without it, prices tell. */
  readonly billed?: NanoDollars | null;
  readonly requestId: string | null;
}

/** The outcome of one attempt. `model` is the one that the provider used. */
export type Attempted<T> =
  | (Consumed & { readonly kind: 'answered'; readonly value: T; readonly model: string | null })
  | (Consumed & { readonly kind: 'failed'; readonly failure: Failure; readonly model?: string | null });

export interface ToolCall {
  /** To be given back as it is: up to some KiB, because Google's signature of the model's thoughts is a part of it. */
  readonly id: string;
  readonly name: string;
  /** JSON text as the model wrote it; it can be malformed. */
  readonly arguments: string;
}

/** `other`: the provider gave no reason, or one that is not known; the content is what arrived. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other';

export interface Completion {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: FinishReason;
}

/** A part of a streamed completion. Exactly one `end` or `failed` is the last; a stream that ends without its terminal sign fails. */
export type CompletionPart =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'tool';
      readonly index: number;
      /** In the first part of a call. */
      readonly id: string | null;
      readonly name: string | null;
      readonly arguments: string;
    }
  | {
      readonly kind: 'end';
      readonly finishReason: FinishReason;
      readonly model: string | null;
      readonly usage: Usage | null;
      readonly billed?: NanoDollars | null;
      readonly requestId: string | null;
    }
  | (Counted & {
      readonly kind: 'failed';
      readonly failure: Failure;
      readonly requestId: string | null;
    });

export interface GeneratedImage {
  /** A whole PNG, JPEG or WebP: signature and end were checked. */
  readonly base64: string;
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly revisedPrompt: string | null;
}

export interface Transcript {
  readonly text: string;
}

/** A model as a provider's list route names it. Only OpenRouter's has prices. */
export interface ListedModel {
  /** Empty: the item of the list has no name. */
  readonly id: string;
  readonly name: string | null;
  readonly contextWindow: number | null;
  readonly maxOutputTokens: number | null;
  /** RFC 3339 date from which the provider refuses the model. */
  readonly retiresAt: string | null;
  /** Where the list says what requests may hold. */
  readonly accepts?: AcceptsFacts;
  /** The provider's own prices in dollars per million tokens, by the quantities of `Usage`. */
  readonly perMillion?: Readonly<Partial<Record<keyof Usage, number>>>;
}

/** The outcome of a call that costs nothing. */
export type Asked<T> =
  { readonly kind: 'answered'; readonly value: T } | { readonly kind: 'failed'; readonly failure: Failure };

/**
 * One wire format of AI providers. A method that is missing is a capability that the wire does not have. No method throws, and none
 * repeats a request: each attempt is billed.
 */
export interface AiWire {
  complete(call: WireCall, request: CompletionRequest): Promise<Attempted<Completion>>;
  /** Does not start before the first part is read. Ending the iteration ends the request to the provider. */
  streamCompletion(call: WireCall, request: CompletionRequest): AsyncIterable<CompletionPart>;
  generateImages?(call: WireCall, request: ImageRequest): Promise<Attempted<readonly GeneratedImage[]>>;
  transcribe?(call: WireCall, request: TranscriptionRequest): Promise<Attempted<Transcript>>;
  /** All pages, or a failure: a part of a list is none. Also the cheapest check of a credential, unless `checkCredential` exists. */
  listModels(call: Calling): Promise<Asked<readonly ListedModel[]>>;
  /** Where the list of models needs no credential, or a permission of its own. */
  checkCredential?(call: Calling): Promise<Asked<null>>;
}
