import type { Finding } from '#libs/content';
import type { ContentToCheck } from '../../provider.js';
import { error } from '../findings.js';
import { mediaFindings } from '../media-rules.js';
import { unsupportedOptions } from '../option-rules.js';
import { unsupportedTargets } from '../target-rules.js';
import { MAX_DESCRIPTION_BYTES, MAX_TAGS, MAX_TITLE, MEDIA } from './youtube-limits.js';
import { descriptionOf, tagsLength, titleOf } from './youtube-text.js';

export const YOUTUBE = { platform: 'youtube', displayName: 'YouTube' };
export const PRIVACIES = ['private', 'unlisted', 'public'] as const;

/** The rules of YouTube that can be checked without asking it. */
export function preflight(content: ContentToCheck): Finding[] {
  return [
    ...title(content),
    ...description(content),
    ...options(content),
    ...mediaFindings(YOUTUBE, MEDIA, content.media),
    ...unsupportedTargets(YOUTUBE, content),
  ];
}

/** `invalidTitle`: empty, longer, or with < or > (docs/videos, snippet.title). */
function title(content: ContentToCheck): Finding[] {
  const words = titleOf(content);
  const length = [...words].length;
  if (length === 0)
    return [error('youtube.title.required', 'A video on YouTube needs a title. Add one.', '#/title')];
  return [
    ...(length > MAX_TITLE
      ? [
          error(
            'youtube.title.too-long',
            `A title on YouTube has at most ${MAX_TITLE} characters; this one has ${length}. Shorten it.`,
            '#/title',
          ),
        ]
      : []),
    ...brackets('title', words, '#/title'),
  ];
}

function description(content: ContentToCheck): Finding[] {
  const words = descriptionOf(content);
  const bytes = Buffer.byteLength(words);
  return [
    ...(bytes > MAX_DESCRIPTION_BYTES
      ? [
          error(
            'youtube.text.too-long',
            `A description on YouTube has at most ${MAX_DESCRIPTION_BYTES} bytes; this one has ${bytes}. Shorten the text.`,
            '#/text',
          ),
        ]
      : []),
    ...brackets('text', words, '#/text'),
  ];
}

function brackets(part: 'title' | 'text', words: string, pointer: string): Finding[] {
  if (!/[<>]/.test(words)) return [];
  return [error(`youtube.${part}.brackets`, 'YouTube refuses the characters < and >. Remove them.', pointer)];
}

function options({ options: chosen }: ContentToCheck): Finding[] {
  const { privacy, tags = [] } = chosen;
  const isKnown = privacy === undefined || (PRIVACIES as readonly string[]).includes(privacy);
  const length = tagsLength(tags);
  return [
    ...unsupportedOptions(YOUTUBE, chosen, ['privacy', 'madeWithAi', 'madeForKids', 'tags']),
    ...(isKnown
      ? []
      : [
          error(
            'youtube.options.privacy',
            'A video on YouTube is private, unlisted or public. Choose one of these.',
            '#/options/privacy',
          ),
        ]),
    ...(length > MAX_TAGS
      ? [
          error(
            'youtube.options.tags',
            `Tags on YouTube have at most ${MAX_TAGS} characters together; these have ${length}. Remove some.`,
            '#/options/tags',
          ),
        ]
      : []),
    ...(tags.some((tag) => /[<>]/.test(tag))
      ? [
          error(
            'youtube.options.tags-brackets',
            'YouTube refuses the characters < and >. Remove them.',
            '#/options/tags',
          ),
        ]
      : []),
  ];
}
