/** On whose behalf a call to an AI route is made. */
export interface AiClientCall {
  readonly organizationId: string;
  /** A member of the organization; left out: no person. */
  readonly userId?: string;
  /** The same key returns the same response for 24 hours: the work is done and billed once. */
  readonly idempotencyKey?: string;
  /** `provider/model` in place of the default of the organization. It must be one of the allowed models. */
  readonly model?: string;
  /** For the whole request with all of its attempts. Default 120 000, at least 1 000. */
  readonly timeoutMs?: number;
  /** Ends the call; without a key the gateway then ends the call to the provider too. */
  readonly signal?: AbortSignal;
  /** Awaited before a response is read, with its bytes if they are known. It must not reject. */
  readonly beforeResponse?: (bytes: number | null) => Promise<void>;
}

export type AiMessage =
  | { readonly role: 'user'; readonly content: string | readonly AiMessagePart[] }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly AiToolCall[] }
  | { readonly role: 'tool'; readonly content: string; readonly toolCallId: string };

export type AiMessagePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mediaType: string; /** Base64. */ readonly data: string };

export interface AiToolCall {
  /** Give it back as it is. */
  readonly id: string;
  readonly name: string;
  /** JSON text as the model wrote it; it can be malformed. */
  readonly arguments: string;
}

/** Bounds as in the document of the gateway. */
export interface CompletionRequest {
  readonly system?: string;
  readonly messages: readonly AiMessage[];
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly stop?: readonly string[];
  readonly tools?: readonly {
    readonly name: string;
    readonly description: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  }[];
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string };
  readonly responseSchema?: {
    readonly name: string;
    readonly schema: Readonly<Record<string, unknown>>;
    /** false: a text that does not fit the schema is returned too. Default true. */
    readonly check?: boolean;
  };
}

export interface ImageRequest {
  /** 1 to 32 000 characters. */
  readonly prompt: string;
  /** 1 to 10; default 1. */
  readonly count?: number;
  /** Pixels, 64 to 4096; default 1024. */
  readonly width?: number;
  readonly height?: number;
  readonly quality?: 'low' | 'medium' | 'high';
  /** Default png. */
  readonly format?: 'png' | 'jpeg' | 'webp';
}

export interface Recording {
  /** WAV, MP3, FLAC, Ogg, WebM or MP4. */
  readonly bytes: Uint8Array;
  /** ISO 639. */
  readonly language?: string;
  /** Names and words that the recording has. */
  readonly prompt?: string;
}

export interface AiAttempt {
  readonly provider: string;
  readonly model: string;
  readonly credential: 'own' | 'platform';
  /** `answered`, or the kind of the failure. */
  readonly outcome: string;
  readonly milliseconds: number;
}

/** What every response has. */
export interface AiAnswer {
  /** Of the request in the usage report. */
  readonly id: string;
  /** `provider/model` that served the request. */
  readonly model: string;
  /** The model that the call names, or the default of the organization; another than `model`: the call fell back. */
  readonly requestedModel: string;
  /** US dollars as decimal text; null: not known. */
  readonly cost: string | null;
  readonly attempts: readonly AiAttempt[];
}

export interface CompletionResult extends AiAnswer {
  readonly text: string;
  readonly toolCalls: readonly AiToolCall[];
  /** `other`: not stated, or not known here. */
  readonly finishReason: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other';
}

export interface ImagesResult extends AiAnswer {
  /** At least one; whole files. */
  readonly images: readonly {
    readonly bytes: Buffer;
    readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp';
    readonly revisedPrompt: string | null;
  }[];
}

export interface TranscriptResult extends AiAnswer {
  readonly text: string;
}

/** The outcome of a call. Only `no-answer` leaves in doubt whether it was done. `isBilled`: an attempt before the last was billed, or may have been. */
export type AiResult<T> =
  | { readonly kind: 'answered'; readonly value: T }
  /** Another request is needed. `code`: of the gateway, such as `content_policy`; `detail`: a sentence for people. */
  | { readonly kind: 'refused'; readonly code: string; readonly detail: string; readonly isBilled?: boolean }
  /** A limit of a provider, or of the organization's spend. `retryAfterMs` null: waiting does not help, or for how long is not known. */
  | {
      readonly kind: 'limited';
      readonly code: string;
      readonly detail: string;
      readonly retryAfterMs: number | null;
      readonly isBilled?: boolean;
    }
  /** The gateway refuses this service. `code`: of its problem. */
  | { readonly kind: 'misconfigured'; readonly code: string; readonly isBilled?: boolean }
  /** No provider did the work. May be repeated. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'no-answer'; readonly reason: string };
