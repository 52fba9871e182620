import type { Finding } from '#libs/content';
import { type AccountFacts, NO_FACTS } from '../../domain/provider-grants.js';
import type { ContentToCheck } from '../../provider.types.js';
import { error, warning, unsupportedOptions, unsupportedTargets, findingsOf } from '../content-rules.js';
import { mediaFindings } from '../media-rules.js';
import { mediaLimits } from './tiktok-limits.js';
import { PRIVACY_LEVELS, textOf } from './tiktok-post-info.js';

const NETWORK = { platform: 'tiktok', displayName: 'TikTok' };

/*
 * UTF-16 units: content-posting-api-reference-direct-post (`title` of a video) and content-posting-api-reference-photo-post (`title` and
 * `description`), developers.tiktok.com/doc, read 2026-11-21.
 */
const MAX_CAPTION = 2_200;
const MAX_PHOTO_TITLE = 90;
const MAX_PHOTO_DESCRIPTION = 4_000;

export function preflight(content: ContentToCheck): Finding[] {
  const facts = content.account?.facts ?? NO_FACTS;
  const seconds = facts.maxVideoSeconds;
  return [
    ...texts(content),
    ...mediaFindings(NETWORK, mediaLimits(typeof seconds === 'number' ? seconds : null), content.media),
    ...privacy(content, facts),
    ...promotion(content),
    ...photoOptions(content),
    ...cover(content),
    ...unsupportedTargets(NETWORK, content),
    ...unsupportedOptions(NETWORK, content.options, [
      'privacy',
      'madeWithAi',
      'promotion',
      'disallow',
      'coverAtMs',
    ]),
  ];
}

/** A post whose files are not known yet is checked by the limit of videos, which is the lower one. */
const showsPhotos = ({ media }: ContentToCheck): boolean => media[0]?.kind === 'image';

function texts(content: ContentToCheck): Finding[] {
  const { length } = textOf(content);
  const max = showsPhotos(content) ? MAX_PHOTO_DESCRIPTION : MAX_CAPTION;
  const title = content.title ?? '';
  return findingsOf(
    length > max &&
      error(
        'tiktok.text.too-long',
        `TikTok takes at most ${max} characters here; the text has ${length}. Shorten it.`,
        '#/text',
      ),
    showsPhotos(content) &&
      title.length > MAX_PHOTO_TITLE &&
      error(
        'tiktok.title.too-long',
        `TikTok takes a title of at most ${MAX_PHOTO_TITLE} characters for photos. Shorten it.`,
        '#/title',
      ),
    !showsPhotos(content) &&
      content.media.length > 0 &&
      title !== '' &&
      warning(
        'tiktok.title.unsupported',
        'TikTok shows no title with a video. The title is not published.',
        '#/title',
      ),
  );
}

/** The person has to choose who sees a post (content-sharing-guidelines); TikTok refuses levels that the account does not offer. */
function privacy({ options }: ContentToCheck, facts: AccountFacts): Finding[] {
  const pointer = '#/options/privacy';
  const { privacy: chosen } = options;
  if (chosen === undefined)
    return [
      error(
        'tiktok.options.privacy-required',
        `TikTok requires a choice of who sees the post. Set privacy to ${names(facts)}.`,
        pointer,
      ),
    ];
  const offered = offeredBy(facts);
  if (!offered.includes(chosen))
    return [
      error(
        'tiktok.options.privacy',
        `This TikTok account cannot publish a post with the privacy ${chosen}. Set privacy to ${names(facts)}.`,
        pointer,
      ),
    ];
  return facts.onlyPrivate === true && offeredByAccount(facts).includes('public')
    ? [
        warning(
          'tiktok.options.private-account',
          'TikTok has not audited this service: it publishes only for accounts that are private themselves. Make the account private at TikTok.',
          pointer,
        ),
      ]
    : [];
}

function offeredBy(facts: AccountFacts): readonly string[] {
  return facts.onlyPrivate === true ? ['private'] : offeredByAccount(facts);
}

/** Every level while the account is not known. */
const offeredByAccount = ({ privacies }: AccountFacts): readonly string[] =>
  Array.isArray(privacies) && privacies.length > 0
    ? (privacies as readonly string[])
    : PRIVACY_LEVELS.map((each) => each.privacy);

const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const names = (facts: AccountFacts): string => alternatives.format(offeredBy(facts));

/** content-sharing-guidelines: branded content cannot be visible to its author only. */
function promotion({ options }: ContentToCheck): Finding[] {
  if (options.promotion !== 'paid-partnership' || options.privacy !== 'private') return [];
  const message =
    'TikTok does not take a paid partnership that only the account itself sees. Choose another privacy.';
  return [error('tiktok.options.promotion', message, '#/options/promotion')];
}

/** content-posting-api-reference-photo-post has no `is_aigc`, no cover time, and of the interactions only comments. */
function photoOptions(content: ContentToCheck): Finding[] {
  if (!showsPhotos(content)) return [];
  const { madeWithAi, disallow = [], coverAtMs } = content.options;
  const finding = (option: string, message: string): Finding =>
    error(`tiktok.options.${option}`, `${message} Remove the option.`, `#/options/${option}`);
  return findingsOf(
    madeWithAi === true &&
      finding('madeWithAi', 'TikTok takes the mark for content made with AI for videos only.'),
    coverAtMs !== undefined && finding('coverAtMs', 'TikTok shows the first photo as the cover.'),
    disallow.some((each) => each !== 'comments') &&
      finding('disallow', 'Photos on TikTok have no duets and stitches.'),
  );
}

function cover({ options: { coverAtMs }, media: [file] }: ContentToCheck): Finding[] {
  if (coverAtMs === undefined || file?.kind !== 'video' || file.durationMs === null) return [];
  if (coverAtMs <= file.durationMs) return [];
  const message = `The cover is taken at ${coverAtMs} ms, after the end of the video. Choose an earlier time.`;
  return [error('tiktok.options.coverAtMs', message, '#/options/coverAtMs')];
}
