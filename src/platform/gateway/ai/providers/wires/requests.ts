/** Requests of callers, without the model: it is chosen by the request, the preferences and the fallback chain. */

export type MessagePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mediaType: string; /** Base64. */ readonly data: string };

export type Message =
  | { readonly role: 'user'; readonly content: readonly MessagePart[] }
  | {
      readonly role: 'assistant';
      readonly content: readonly MessagePart[];
      readonly toolCalls: readonly {
        readonly id: string;
        readonly name: string;
        readonly arguments: string;
      }[];
    }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface CompletionRequest {
  readonly system: string | null;
  readonly messages: readonly Message[];
  /** Always sent: it bounds what a call can cost. */
  readonly maxTokens: number;
  readonly temperature: number | null;
  readonly stop: readonly string[];
  readonly tools: readonly Tool[];
  readonly toolChoice: 'auto' | 'none' | 'required' | { readonly name: string } | null;
  /** JSON Schema of the response; null: text. */
  readonly responseSchema: {
    readonly name: string;
    readonly schema: Readonly<Record<string, unknown>>;
    /** false: a text that does not fit is returned too. */
    readonly check?: boolean;
  } | null;
}

export interface ImageRequest {
  readonly prompt: string;
  /** 1 to 10. */
  readonly count: number;
  readonly width: number;
  readonly height: number;
  readonly quality: 'low' | 'medium' | 'high' | null;
  readonly format: 'png' | 'jpeg' | 'webp';
}

export interface TranscriptionRequest {
  readonly file: {
    readonly name: string;
    readonly mediaType: string;
    readonly bytes: Buffer;
  };
  /** ISO 639-1; null: the provider detects it. */
  readonly language: string | null;
  readonly prompt: string | null;
}
