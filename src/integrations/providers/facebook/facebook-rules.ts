import type { Finding, PostOption, PostOptions } from '#libs/content';
import type { ContentToCheck, TextLength } from '../../provider.types.js';
import { error, findingsOf, unsupportedOptions, withLink } from '../content-rules.js';
import { mediaFindings, renditionsBy } from '../media-rules.js';
import { FEED, IMAGE, REEL, VIDEO } from './facebook-limits.js';

const FACEBOOK = { platform: 'facebook', displayName: 'Facebook' };

/** Animations are taken as photos and stand still, so they are refused. */
export const renditions = renditionsBy({ image: IMAGE, video: VIDEO });

export function preflight(content: ContentToCheck): Finding[] {
  const { media, options } = content;
  const isReel = options.format === 'reel';
  return [
    ...texts(content),
    ...mediaFindings(FACEBOOK, isReel ? REEL : FEED, media),
    ...targets(content),
    ...unsupportedOptions(FACEBOOK, options, supported(options)),
    ...formats(options),
  ];
}

export const textLength = (content: ContentToCheck): TextLength => ({
  length: lengthOf(captionOf(content)),
  limit: MAX_MESSAGE,
});

function texts(content: ContentToCheck): Finding[] {
  if (captionOf(content) === '' && content.media.length === 0)
    return [error('facebook.text.empty', 'A post on Facebook needs text, a link or a file.', '#/text')];
  const { length } = textLength(content);
  if (length <= MAX_MESSAGE) return [];
  const message = `Facebook takes at most ${MAX_MESSAGE} characters; the text has ${length}. Shorten it.`;
  return [error('facebook.text.too-long', message, '#/text')];
}

/** Meta removed the interface of groups from every version on 2024-04-22 (changelog of v19.0). */
function targets({ target }: ContentToCheck): Finding[] {
  const group = 'Facebook no longer lets services publish to groups. Choose a page.';
  const organization = 'Facebook has no organizations. Choose a page.';
  return findingsOf(
    target.groupId !== undefined && error('facebook.target.group', group, '#/target/groupId'),
    target.organizationId !== undefined &&
      error('facebook.target.unsupported', organization, '#/target/organizationId'),
  );
}

/** Posts of pages are public, and Facebook takes the mark for AI of reels only. */
const supported = ({ privacy, format }: PostOptions): PostOption[] => [
  'format',
  ...(privacy === 'public' ? (['privacy'] as const) : []),
  ...(format === 'reel' ? (['madeWithAi'] as const) : []),
];

function formats({ format }: PostOptions): Finding[] {
  if (format !== 'story') return [];
  return [
    error(
      'facebook.options.format',
      'This service publishes no stories on Facebook. Choose feed or reel.',
      '#/options/format',
    ),
  ];
}

/** Characters. Not published by Facebook; the same number is in many secondary sources, read 2026-11-21. */
const MAX_MESSAGE = 63_206;

interface Content {
  readonly text: string;
  readonly link?: string | null;
}

/** The text of a post with a card for its link. */
export const messageOf = ({ text }: Content): string => text.normalize('NFC').trim();

/** The text of a post with files: it has no card, so a link that is not in the text is appended. */
export const captionOf = ({ text, link }: Content): string => withLink(messageOf({ text }), link);

const lengthOf = (text: string): number => [...text].length;
