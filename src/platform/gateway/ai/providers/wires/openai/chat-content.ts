import { list, record, text } from '../values.js';

/** What the content of a message, or of a part of a streamed one, holds for the caller. */
interface Content {
  readonly text: string;
  /** null: none. */
  readonly refusal: string | null;
  /** Whether parts were left out, such as thoughts. */
  readonly hasUnread: boolean;
}

/** Content is text, or a list of typed parts; providers other than OpenAI send the latter too. */
export function contentIn(content: unknown): Content {
  if (typeof content === 'string') return { text: content, refusal: null, hasUnread: false };
  const parts = list(content).map(record);
  const words = parts.filter(({ type }) => type === 'text').flatMap((part) => text(part.text) ?? []);
  const refusals = parts.filter(({ type }) => type === 'refusal').flatMap((part) => text(part.refusal) ?? []);
  const hasUnread = Array.isArray(content) ? words.length < parts.length : (content ?? null) !== null;
  return { text: words.join(''), refusal: text(refusals.join('')), hasUnread };
}
