import type { Finding } from '#libs/content';
import type { ContentToCheck } from '../../provider.types.js';
import { error, findingsOf, unsupportedOptions, unsupportedTargets, withLink } from '../content-rules.js';
import { mediaFindings } from '../media-rules.js';
import { MAX_DESCRIPTION_BYTES, MAX_TAGS, MAX_TITLE, MEDIA } from './youtube-limits.js';
import type { DeliveryContent } from '../../domain/delivery-outcome.js';

const YOUTUBE = { platform: 'youtube', displayName: 'YouTube' };
const PRIVACIES = ['private', 'unlisted', 'public'] as const;

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
  return findingsOf(
    length > MAX_TITLE &&
      error(
        'youtube.title.too-long',
        `A title on YouTube has at most ${MAX_TITLE} characters; this one has ${length}. Shorten it.`,
        '#/title',
      ),
    brackets('title', words, '#/title'),
  );
}

function description(content: ContentToCheck): Finding[] {
  const words = descriptionOf(content);
  const bytes = Buffer.byteLength(words);
  return findingsOf(
    bytes > MAX_DESCRIPTION_BYTES &&
      error(
        'youtube.text.too-long',
        `A description on YouTube has at most ${MAX_DESCRIPTION_BYTES} bytes; this one has ${bytes}. Shorten the text.`,
        '#/text',
      ),
    brackets('text', words, '#/text'),
  );
}

function brackets(part: 'title' | 'text', words: string, pointer: string): Finding[] {
  if (!/[<>]/.test(words)) return [];
  return [error(`youtube.${part}.brackets`, 'YouTube refuses the characters < and >. Remove them.', pointer)];
}

function options({ options: chosen }: ContentToCheck): Finding[] {
  const { privacy, tags = [] } = chosen;
  const isKnown = privacy === undefined || (PRIVACIES as readonly string[]).includes(privacy);
  const length = tagsLength(tags);
  return findingsOf(
    unsupportedOptions(YOUTUBE, chosen, ['privacy', 'madeWithAi', 'madeForKids', 'tags']),
    !isKnown &&
      error(
        'youtube.options.privacy',
        'A video on YouTube is private, unlisted or public. Choose one of these.',
        '#/options/privacy',
      ),
    length > MAX_TAGS &&
      error(
        'youtube.options.tags',
        `Tags on YouTube have at most ${MAX_TAGS} characters together; these have ${length}. Remove some.`,
        '#/options/tags',
      ),
    tags.some((tag) => /[<>]/.test(tag)) &&
      error(
        'youtube.options.tags-brackets',
        'YouTube refuses the characters < and >. Remove them.',
        '#/options/tags',
      ),
  );
}

type Text = Pick<ContentToCheck | DeliveryContent, 'text' | 'title' | 'link'>;

/** NFC: YouTube counts characters. */
export const titleOf = ({ title }: Text): string => (title ?? '').trim().normalize('NFC');

/** The text, then the link: YouTube has no link cards. */
export const descriptionOf = ({ text, link }: Text): string => withLink(text.trim().normalize('NFC'), link);

/** Characters as YouTube counts tags: with a comma between two, and quotation marks around one with a space (docs/videos). */
export function tagsLength(tags: readonly string[]): number {
  const lengths = tags.map((tag) => [...tag].length + (tag.includes(' ') ? 2 : 0));
  return lengths.reduce((sum, length) => sum + length, Math.max(0, tags.length - 1));
}

/** Ids of videos have 11 characters today; Google does not promise it (developers.google.com/youtube/v3/docs/videos). */
const VIDEO_ID = /^[A-Za-z0-9_-]{6,32}$/;
/** `UC` and 22 characters today. */
const CHANNEL_ID = /^[A-Za-z0-9_-]{6,64}$/;

export const isVideoId = (value: string): boolean => VIDEO_ID.test(value);
export const isChannelId = (value: string): boolean => CHANNEL_ID.test(value);
