/**
 * Controls, and characters that are not shown or change the direction of the text around them: a source could hide text with them.
 * Tags (U+E0000 to U+E007F) and selectors of the supplement spell whole sentences invisibly.
 */
const HIDDEN =
  /(?![\t-\r\u200c\u200d\ufe00-\ufe0f])[\p{Default_Ignorable_Code_Point}\p{Cc}\ufff9-\ufffb\ufffe\uffff]/gu;
/** Words of some languages and emoji need joiners between their characters, and one selector after a character. */
const STRAY =
  /(?<![\p{L}\p{M}\p{Emoji}\ufe00-\ufe0f])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}\p{Emoji}])|(?<=^|[\s\u200c\u200d\ufe00-\ufe0f])[\ufe00-\ufe0f]/gu;
const LONE_SURROGATE = /\p{Cs}/gu;

/**
 * One line of text: white space joined, hidden characters removed, cut to `limit` UTF-16 units with an ellipsis. Empty for a text
 * without visible characters.
 */
export function oneLine(text: string, limit: number): string {
  // Of a longer text nothing beyond this can remain, as white space is cheap to send and long texts are not.
  const bounded = text.slice(0, limit * 20);
  const clean = bounded
    .replaceAll(HIDDEN, '')
    .replaceAll(STRAY, '')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(LONE_SURROGATE, '\ufffd')
    .trim();
  if (clean.length <= limit) return clean;
  return `${clean.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

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
