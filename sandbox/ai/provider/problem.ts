import type { Call } from '../../wire/call.js';

/** Why a provider does not answer; each has its own words, status and headers for it. */
export type Problem =
  | { readonly kind: 'no-key' | 'revoked-key' | 'forbidden-key' }
  | { readonly kind: 'unknown-key'; readonly key: string }
  /** The account has no credit, the key has a spend limit of its own, a quota is used up: a person must act. */
  | { readonly kind: 'out-of-money' | 'spend-limit' | 'quota-exhausted' }
  | { readonly kind: 'rate-limited'; /** null: not said. */ readonly retryAfterSeconds: number | null }
  | { readonly kind: 'overloaded' }
  | { readonly kind: 'server-error'; readonly status: number }
  | { readonly kind: 'no-model'; readonly model: string }
  | { readonly kind: 'too-long'; readonly tokens: number; readonly limit: number }
  /** `status` is 400 where it is left out. */
  | {
      readonly kind: 'invalid';
      readonly message: string;
      readonly param: string | null;
      readonly code?: string;
      readonly status?: number;
    }
  | { readonly kind: 'policy'; readonly isImage: boolean }
  | { readonly kind: 'no-address' | 'too-large' };

export interface WrittenProblem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Where a problem occurred. */
export interface ProblemContext {
  readonly requestId: string;
  readonly now: Date;
}

export type ProblemWriter = (problem: Problem, context: ProblemContext) => WrittenProblem;

/** Thrown by handlers; the route answers with the provider's words. */
export class ProviderRefuses extends Error {
  override name = 'ProviderRefuses';

  constructor(readonly problem: Problem) {
    super(problem.kind);
  }
}

export function refuse(problem: Problem): never {
  throw new ProviderRefuses(problem);
}

export const invalid = (message: string, param: string | null, code?: string): never =>
  refuse({ kind: 'invalid', message, param, ...(code !== undefined && { code }) });

/** A provider's words for every problem. */
export type ProblemWords<W> = {
  readonly [K in Problem['kind']]: (problem: Problem & { readonly kind: K }) => W;
};

export const wordsFor = <W>(words: ProblemWords<W>, problem: Problem): W =>
  (words[problem.kind] as (problem: Problem) => W)(problem);

export type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

export const asObject = (value: unknown): Members => (isObject(value) ? value : {});

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const asNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** The body as a JSON object. @throws ProviderRefuses */
export function jsonBody(call: Call, message: string): Members {
  const value = call.json?.value;
  return isObject(value) ? value : invalid(message, null);
}

/** Decodes base64; null when it is none. */
export function base64(text: string): Buffer | null {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0 ? Buffer.from(text, 'base64') : null;
}

/** Of text, or of a list of typed parts. */
export const textOfContent = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : asList(content)
        .map((part) => asText(asObject(part).text))
        .join('');

/** The text of messages, for faults that look for one. */
export function textOfMessages(messages: unknown): string | undefined {
  const texts = asList(messages).map((message) => textOfContent(asObject(message).content));
  return texts.length === 0 ? undefined : texts.join('\n');
}
