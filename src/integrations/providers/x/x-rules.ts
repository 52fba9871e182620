import twitterText from 'twitter-text';
import type { Finding } from '#libs/content';
import type { ContentToCheck, TextLength } from '../../provider.types.js';
import { error, warning, unsupportedOptions, unsupportedTargets, withLink } from '../content-rules.js';
import { mediaFindings } from './x-media-rules.js';
import type { Account } from '../../domain/provider-publishing.js';

const X = { platform: 'x', displayName: 'X' };
/** UTF-16 units. Twelve links of the greatest length fit; a longer text cannot be valid, so it is not parsed. */
const MAX_PARSED_LENGTH = 50_000;

export function preflight(content: ContentToCheck): Finding[] {
  const text = textOf(content);
  const max = maxLengthOf(content.account);
  if (text.length > MAX_PARSED_LENGTH) return [tooLong('far more', max)];
  return [
    ...emptiness(text, content.media.length),
    ...length(text, max),
    ...characters(text),
    ...cashtags(text),
    ...mediaFindings(content),
    ...unsupportedTargets(X, content),
    ...unsupportedOptions(X, content.options, ['madeWithAi', 'promotion']),
  ];
}

function emptiness(text: string, mediaCount: number): Finding[] {
  if (text.trim() !== '' || mediaCount > 0) return [];
  return [error('x.text.empty', 'A post on X needs text or a file.', '#/text')];
}

function length(text: string, max: number): Finding[] {
  const weighted = weightedLength(text);
  if (weighted <= max) return [];
  return [tooLong(String(weighted), max)];
}

/** A text that is too long to be parsed counts its UTF-16 units: more than X takes in any case. */
export function textLength(content: ContentToCheck): TextLength {
  const text = textOf(content);
  const length = text.length > MAX_PARSED_LENGTH ? text.length : weightedLength(text);
  return { length, limit: maxLengthOf(content.account) };
}

function tooLong(counted: string, max: number): Finding {
  const message = `X counts ${counted} characters; at most ${max} are possible. Links count 23, emoji and East Asian characters 2.`;
  return error('x.text.too-long', message, '#/text');
}

/** X refuses U+FEFF, U+FFFE and U+FFFF (twitter-text, invalidCharacters). */
function characters(text: string): Finding[] {
  if (!twitterText.hasInvalidCharacters(text)) return [];
  return [error('x.text.invalid-characters', 'The text contains characters that X refuses.', '#/text')];
}

/** One cashtag for each post since February 2026, except on enterprise plans (docs.x.com, changelog): a warning. */
function cashtags(text: string): Finding[] {
  if (twitterText.extractCashtags(text).length <= 1) return [];
  const message = 'X refuses posts with more than one cashtag on most plans.';
  return [warning('x.text.cashtags', message, '#/text')];
}

/** Weighted characters of a post of an account without premium (docs.x.com, "Counting characters", config v3). */
const MAX_WEIGHTED_LENGTH = 280;

/** For an account with a subscription (docs.x.com, "Counting characters"). That each subscription has it is not verified. */
const MAX_WEIGHTED_LENGTH_PREMIUM = 25_000;

/** Weighted characters that this account may publish; those of any account when it is not known. */
const maxLengthOf = (account: Account | null): number => {
  const { subscription = 'None' } = account?.facts ?? {};
  return subscription === 'None' ? MAX_WEIGHTED_LENGTH : MAX_WEIGHTED_LENGTH_PREMIUM;
};

/** The text to send: a link that is not in the text yet is appended as its own paragraph. */
export const textOf = ({ text, link }: { text: string; link?: string | null }): string =>
  withLink(text.normalize('NFC'), link);

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
