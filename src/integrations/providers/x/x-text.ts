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
  const text = content.text.normalize('NFC').replaceAll(/\r\n?/g, '\n');
  if (!content.link || text.includes(content.link)) return text;
  return text === '' ? content.link : `${text}\n\n${content.link}`;
}

/** As X counts: a URL is 23, an emoji 2, most East Asian characters 2, everything in NFC. */
export function weightedLength(text: string): number {
  return twitterText.parseTweet(text).weightedLength;
}
