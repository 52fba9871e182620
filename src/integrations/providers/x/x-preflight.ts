import twitterText from 'twitter-text';
import type { Finding, Target } from '#libs/content';
import type { ContentToCheck } from '../../provider.js';
import { MAX_WEIGHTED_LENGTH, textOf, weightedLength } from './x-text.js';

/** Twelve links of the longest kind still fit; beyond this many UTF-16 units no text can, and parsing it would only cost time. */
const MAX_PARSED_LENGTH = 50_000;
/** Photos in one post (docs.x.com, "Media best practices"). */
const MAX_PHOTOS = 4;

/** The rules of X that can be checked without asking X. */
export function preflight(content: ContentToCheck): Finding[] {
  const text = textOf(content);
  if (text.length > MAX_PARSED_LENGTH) return [tooLong('far more')];
  return [
    ...emptiness(text, content.media.length),
    ...length(text),
    ...characters(text),
    ...cashtags(text),
    ...media(content.media.length),
    ...targets(content.target),
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

function media(mediaCount: number): Finding[] {
  if (mediaCount === 0) return [];
  const message =
    mediaCount > MAX_PHOTOS
      ? `X takes at most ${MAX_PHOTOS} photos in a post.`
      : 'Media cannot be published to X from here yet; remove it or publish the post by hand.';
  return [error(mediaCount > MAX_PHOTOS ? 'x.media.too-many' : 'x.media.unavailable', message, '#/mediaIds')];
}

/** A connection and an account choose who posts; X knows no other place. */
function targets(target: Target): Finding[] {
  const named = (['pageId', 'groupId', 'organizationId'] as const).filter(
    (part) => target[part] !== undefined,
  );
  const message = 'X has no pages, groups or organizations. Remove them from the target.';
  return named.map((part) => error('x.target.unsupported', message, `#/target/${part}`));
}

function error(ruleId: string, message: string, pointer: string): Finding {
  return { ruleId, severity: 'error', message, pointer };
}
