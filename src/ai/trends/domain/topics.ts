import { oneLine } from './plain.js';

export const MAX_TOPICS = 5;
export const MAX_TOPIC = 60;

/**
 * The topic as it is kept: one line in lower case, so that differences of case share one cache entry.
 * null: empty, longer than MAX_TOPIC, or without a letter or digit
 */
export function topicOf(text: string): string | null {
  const topic = oneLine(text, MAX_TOPIC * 2)
    .normalize('NFC')
    .toLowerCase();
  return topic.length <= MAX_TOPIC && /[\p{L}\p{N}]/u.test(topic) ? topic : null;
}

/** The topics that a text is about: all words of the topic occur in it as words, in any order; accents are folded. */
export function topicsIn(text: string, topics: readonly string[]): string[] {
  const words = new Set(wordsOf(text));
  return topics.filter((topic) => wordsOf(topic).every((word) => words.has(word)));
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];
