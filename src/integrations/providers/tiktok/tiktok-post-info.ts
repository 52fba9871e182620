import type { DeliveryFile, Privacy } from '#libs/content';
import type { AccountFacts } from '../../domain/provider-grants.js';
import type { DeliveryContent } from '../../domain/delivery-outcome.js';
import { isMadeWithAi } from '../file-labels.js';
import { withLink } from '../content-rules.js';

/** content-posting-api-reference-direct-post, `privacy_level` (developers.tiktok.com/doc, read 2026-11-21). */
export const PRIVACY_LEVELS = [
  { privacy: 'public', level: 'PUBLIC_TO_EVERYONE' },
  { privacy: 'friends', level: 'MUTUAL_FOLLOW_FRIENDS' },
  { privacy: 'followers', level: 'FOLLOWER_OF_CREATOR' },
  { privacy: 'private', level: 'SELF_ONLY' },
] as const satisfies readonly { readonly privacy: Privacy; readonly level: string }[];

type Texts = Pick<DeliveryContent, 'text' | 'title' | 'link' | 'options'>;

/** TikTok has no cards for links: the address stands below the text. */
export const textOf = ({ text, link }: { readonly text: string; readonly link?: string | null }): string =>
  withLink(text, link, '\n');

/** `post_info` of a video. The title is its caption. */
export function videoInfo(
  content: Texts,
  file: Pick<DeliveryFile, 'aiMark'>,
  facts: AccountFacts,
): Record<string, unknown> {
  const { options } = content;
  const isOff = isOffBy(content, facts);
  return {
    title: textOf(content),
    ...shared(content),
    disable_comment: isOff('comments', 'commentsDisabled'),
    disable_duet: isOff('duets', 'duetsDisabled'),
    disable_stitch: isOff('stitches', 'stitchesDisabled'),
    ...(options.coverAtMs !== undefined && { video_cover_timestamp_ms: options.coverAtMs }),
    ...(isMadeWithAi(content, [file]) && { is_aigc: true }),
  };
}

/** `post_info` of photos: content-posting-api-reference-photo-post. The text is their description. */
export function photoInfo(content: Texts, facts: AccountFacts): Record<string, unknown> {
  const isOff = isOffBy(content, facts);
  return {
    ...(content.title !== null && content.title !== '' && { title: content.title }),
    description: textOf(content),
    ...shared(content),
    disable_comment: isOff('comments', 'commentsDisabled'),
    auto_add_music: false,
  };
}

function shared({ options }: Texts): Record<string, unknown> {
  const level = PRIVACY_LEVELS.find(({ privacy }) => privacy === options.privacy)?.level;
  return {
    ...(level !== undefined && { privacy_level: level }),
    brand_content_toggle: options.promotion === 'paid-partnership',
    brand_organic_toggle: options.promotion === 'own-brand',
  };
}

/** TikTok refuses to allow what the account itself has turned off. */
const isOffBy =
  ({ options }: Texts, facts: AccountFacts) =>
  (reaction: 'comments' | 'duets' | 'stitches', fact: string): boolean =>
    facts[fact] === true || (options.disallow ?? []).includes(reaction);
