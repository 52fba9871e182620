import twitterText from 'twitter-text';
import type { Finding } from '#libs/content';
import type { ContentToCheck, TextLength } from '../../provider.js';
import { error, warning } from '../findings.js';
import { unsupportedOptions } from '../option-rules.js';
import { formerlyAcceptedTargets } from '../target-rules.js';
import { mediaFindings } from './x-media-preflight.js';
import { maxLengthOf, textOf, weightedLength } from './x-text.js';

const X = { platform: 'x', displayName: 'X' };
/** UTF-16 units. Twelve links of the greatest length fit; a longer text cannot be valid, so it is not parsed. */
const MAX_PARSED_LENGTH = 50_000;

/** The rules of X that can be checked without asking X. */
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
    ...formerlyAcceptedTargets(X, content),
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
