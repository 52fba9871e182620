import twitterText from 'twitter-text';
import type { Finding } from '#libs/content';
import type { PreflightInput } from '../../provider.js';

/** Weighted characters of a post of an account without premium (docs.x.com, "Counting characters", config v3). */
export const MAX_WEIGHTED_LENGTH = 280;
/** Twelve links of the longest kind still fit; beyond this many UTF-16 units no text can, and parsing it would only cost time. */
const MAX_PARSED_LENGTH = 50_000;
/** Photos in one post (docs.x.com, "Media best practices"). */
const MAX_PHOTOS = 4;

/** What is sent as the text: a link that the text does not show yet goes on a line of its own. */
export function textOf(content: { text: string; link?: string | null }): string {
  const text = content.text.normalize('NFC');
  if (!content.link || text.includes(content.link)) return text;
  return text === '' ? content.link : `${text}\n\n${content.link}`;
}

/** As X counts: a URL is 23, an emoji 2, most East Asian characters 2, everything in NFC. */
export function weightedLength(text: string): number {
  return twitterText.parseTweet(text).weightedLength;
}

/** The rules of X that can be checked without asking X. */
export function preflight(input: PreflightInput): Finding[] {
  const text = textOf(input);
  if (text.length > MAX_PARSED_LENGTH) return [tooLong('far more')];
  return [
    ...emptiness(text, input.mediaCount),
    ...length(text),
    ...characters(text),
    ...cashtags(text),
    ...media(input),
  ];
}

function emptiness(text: string, mediaCount: number): Finding[] {
  if (text.trim() !== '' || mediaCount > 0) return [];
  return [error('x.text.empty', 'A post on X needs text.', '#/text')];
}

function length(text: string): Finding[] {
  const weighted = weightedLength(text);
  if (weighted <= MAX_WEIGHTED_LENGTH) return [];
  return [tooLong(String(weighted))];
}

function tooLong(counted: string): Finding {
  const message = `X counts ${counted} characters; at most ${MAX_WEIGHTED_LENGTH} are possible. Links count 23, emoji and East Asian characters 2.`;
  return error('x.text.too-long', message, '#/text');
}

/** U+FEFF, U+FFFE and U+FFFF are refused by X itself (twitter-text, invalidCharacters). */
function characters(text: string): Finding[] {
  if (!twitterText.hasInvalidCharacters(text)) return [];
  return [error('x.text.invalid-characters', 'The text contains characters that X refuses.', '#/text')];
}

/** One cashtag a post since February 2026, except on enterprise plans (docs.x.com, changelog); hence no more than a warning. */
function cashtags(text: string): Finding[] {
  if (twitterText.extractCashtags(text).length <= 1) return [];
  const message = 'X refuses posts with more than one cashtag on most plans.';
  return [{ ruleId: 'x.text.cashtags', severity: 'warning', message, pointer: '#/text' }];
}

function media({ mediaCount }: PreflightInput): Finding[] {
  if (mediaCount === 0) return [];
  const message =
    mediaCount > MAX_PHOTOS
      ? `X takes at most ${MAX_PHOTOS} photos in a post.`
      : 'Media cannot be published to X from here yet; remove it or publish the post by hand.';
  return [error(mediaCount > MAX_PHOTOS ? 'x.media.too-many' : 'x.media.unavailable', message, '#/mediaIds')];
}

function error(ruleId: string, message: string, pointer: string): Finding {
  return { ruleId, severity: 'error', message, pointer };
}
