import type { Finding } from '#libs/content';
import type { ContentToCheck, TextLength } from '../../provider.types.js';
import { widthRule } from '../containers/video-rules.js';
import { error, warning, unsupportedOptions, unsupportedTargets, withLink } from '../content-rules.js';
import { mediaFindings } from '../media-rules.js';
import {
  FEED,
  MAX_CAPTION,
  MAX_HASHTAGS,
  MAX_MENTIONS,
  STORY,
  carouselRatio,
  TOLERANCE,
} from './instagram-limits.js';

const INSTAGRAM = { platform: 'instagram', displayName: 'Instagram' };
/** UTF-16 units; a longer text cannot be valid, so it is not searched. */
const MAX_SEARCHED = 10 * MAX_CAPTION;

export function preflight(content: ContentToCheck): Finding[] {
  const { media, options } = content;
  const isStory = options.format === 'story';
  return [
    ...(isStory ? textOfStory(content) : caption(captionOf(content))),
    ...link(content),
    ...mediaFindings(INSTAGRAM, isStory ? STORY : FEED, media, { video: [widthRule('Instagram')] }),
    ...(isStory ? [] : croppedVideos(content)),
    ...format(content),
    ...cover(content),
    ...unsupportedTargets(INSTAGRAM, content),
    ...unsupportedOptions(INSTAGRAM, options, ['madeWithAi', 'format', 'coverAtMs']),
  ];
}

/** Videos of a carousel get the ratio of its first file; pictures get it as renditions. */
function croppedVideos({ media }: ContentToCheck): Finding[] {
  const shown = carouselRatio(media);
  if (shown === null) return [];
  return media.flatMap(({ kind, width, height }, index) => {
    if (index === 0 || kind !== 'video' || !width || !height) return [];
    if (Math.abs(width / height / shown - 1) <= TOLERANCE) return [];
    const size = `${Math.min(width, Math.round(height * shown))} × ${Math.min(height, Math.round(width / shown))}`;
    const message = `Instagram crops the video of ${width} × ${height} pixels around its centre to ${size}, the ratio of the first file. Crop it to choose what is shown.`;
    return [warning('instagram.media.cropped', message, `#/mediaIds/${index}`)];
  });
}

/** Instagram does not say how it counts: what is too long by any way of counting is refused. */
function caption(text: string): Finding[] {
  const characters = charactersOf(text);
  if (characters > MAX_CAPTION)
    return [
      error(
        'instagram.text.too-long',
        `The caption has ${characters} characters; Instagram takes ${MAX_CAPTION}. Shorten it.`,
        '#/text',
      ),
    ];
  const counted = [
    [hashtagsIn(text), MAX_HASHTAGS, 'hashtags'],
    [mentionsIn(text), MAX_MENTIONS, 'mentions'],
  ] as const;
  const tooMany = counted
    .filter(([count, max]) => count > max)
    .map(([count, max, what]) =>
      error(
        `instagram.text.${what}`,
        `The caption has ${count} ${what}; Instagram takes ${max}. Remove some.`,
        '#/text',
      ),
    );
  return text.length > MAX_CAPTION
    ? [
        ...tooMany,
        warning(
          'instagram.text.long',
          'Instagram may count emoji twice and refuse this caption. Shorten it.',
          '#/text',
        ),
      ]
    : tooMany;
}

/** A story has no text. */
export const textLength = (content: ContentToCheck): TextLength => ({
  length: content.options.format === 'story' ? 0 : charactersOf(captionOf(content)),
  limit: MAX_CAPTION,
});

const charactersOf = (text: string): number => (text.length > MAX_SEARCHED ? text.length : [...text].length);

function textOfStory(content: ContentToCheck): Finding[] {
  if (captionOf(content).trim() === '') return [];
  return [warning('instagram.text.not-shown', 'Instagram shows no text with a story.', '#/text')];
}

function link({ link: address, options }: ContentToCheck): Finding[] {
  if (!address || options.format === 'story') return [];
  return [
    warning('instagram.link.plain', 'Instagram shows the link as text that cannot be clicked.', '#/link'),
  ];
}

function format({ media, options }: ContentToCheck): Finding[] {
  const kinds = media.map(({ kind }) => kind);
  const isReel = kinds.length === 1 && (kinds[0] === 'video' || kinds[0] === null);
  if (options.format !== 'reel' || isReel) return [];
  return [
    error(
      'instagram.options.format',
      'A reel on Instagram is one video. Choose another format or one video.',
      '#/options/format',
    ),
  ];
}

/** Only reels have a cover that is a frame of the video. */
function cover({ media, options: { coverAtMs, format: shown } }: ContentToCheck): Finding[] {
  if (coverAtMs === undefined) return [];
  const pointer = '#/options/coverAtMs';
  const [file] = media;
  const isReel = media.length === 1 && shown !== 'story' && (file?.kind === 'video' || file?.kind === null);
  if (!isReel)
    return [
      error(
        'instagram.options.cover',
        'Instagram takes a cover frame of a single video only. Remove it.',
        pointer,
      ),
    ];
  if (file.durationMs === null || coverAtMs <= file.durationMs) return [];
  return [
    error(
      'instagram.options.cover',
      'The cover frame is after the end of the video. Choose an earlier one.',
      pointer,
    ),
  ];
}

/** The caption to send: a link that is not in the text yet is appended as its own paragraph. Instagram shows no links as cards. */
export const captionOf = ({ text, link }: { text: string; link?: string | null }): string =>
  withLink(text.normalize('NFC'), link);

/** Letters, digits and underscores after a # that begins a word. */
const HASHTAG = /(?<![\p{L}\p{N}_&])[#＃][\p{L}\p{M}\p{N}_]*[\p{L}\p{M}_][\p{L}\p{M}\p{N}_]*/gu;
/** Usernames have letters, digits, dots and underscores. An address of mail is no mention. */
const MENTION = /(?<![\p{L}\p{N}_.])@[A-Za-z0-9._]{1,30}/gu;

export const hashtagsIn = (text: string): number => text.match(HASHTAG)?.length ?? 0;
export const mentionsIn = (text: string): number => text.match(MENTION)?.length ?? 0;
