import twitterText from 'twitter-text';
import type { Account } from '../../domain/provider-publishing.js';

/** Weighted characters of a post of an account without premium (docs.x.com, "Counting characters", config v3). */
export const MAX_WEIGHTED_LENGTH = 280;

/** Of an account with a subscription (docs.x.com, "Counting characters"). That each subscription has it is not verified. */
export const MAX_WEIGHTED_LENGTH_PREMIUM = 25_000;

/** Weighted characters that this account may publish; those of any account when it is not known. */
export const maxLengthOf = (account: Account | null): number => {
  const { subscription = 'None' } = account?.facts ?? {};
  return subscription === 'None' ? MAX_WEIGHTED_LENGTH : MAX_WEIGHTED_LENGTH_PREMIUM;
};

/** The text to send: a link that is not in the text yet is appended as its own paragraph. */
export function textOf(content: { text: string; link?: string | null }): string {
  const text = content.text.normalize('NFC');
  if (!content.link || text.includes(content.link)) return text;
  return text === '' ? content.link : `${text}\n\n${content.link}`;
}

/** UTF-16 units that are parsed together: the time grows with their square (1 s for 12 000 of them). */
const MAX_PIECE = 256;
const MAX_URL = 4_096;
const URL_WEIGHT = 23;
const LONG_URL = /^https?:\/\/[a-z0-9.-]+\.[a-z]{2,63}(?:[/?#][\w.~:/?#@!$&*+,;=%()-]*)?$/i;

/**
 * As X counts: a URL is 23, an emoji 2, most East Asian characters 2, everything in NFC. A long text is counted word by word, since
 * nothing that X counts as one contains white space. A word over `MAX_PIECE` that is no URL is counted in parts.
 */
export function weightedLength(text: string): number {
  if (text.length <= MAX_PIECE) return parsedWeight(text);
  return text.split(/(\s+)/).reduce((weight, word) => weight + weightOfWord(word), 0);
}

function weightOfWord(word: string): number {
  if (word.length <= MAX_PIECE) return parsedWeight(word);
  if (word.length <= MAX_URL && LONG_URL.test(word)) return URL_WEIGHT;
  const parts = Array.from({ length: Math.ceil(word.length / MAX_PIECE) }, (_, index) =>
    word.slice(index * MAX_PIECE, (index + 1) * MAX_PIECE),
  );
  return parts.reduce((weight, part) => weight + parsedWeight(part), 0);
}

const parsedWeight = (text: string): number =>
  text === '' ? 0 : twitterText.parseTweet(text).weightedLength;
