import type { Finding } from '#libs/content';
import type { ContentToCheck, NetworkRules, TextLength } from '../../provider.types.js';
import { above, below, errorRule, type MediaRule, warningRule } from '../file-rules.js';
import { error, warning, unsupportedOptions, namedParts } from '../content-rules.js';
import { mediaFindings, renditionsBy } from '../media-rules.js';
import { ANIMATION, IMAGE, LONG_VIDEO_MS, MEDIA_LIMITS, MIN_VIDEO_BYTES, VIDEO } from './linkedin-limits.js';
import { MAX_LENGTH, articleOf, commentaryOf } from './linkedin-text.js';
import { postUrnIn } from './linkedin-values.js';
import type { Variant } from './linkedin-variants.js';

const OF_VIDEOS: readonly MediaRule[] = [
  errorRule(
    'video-bytes-few',
    ({ bytes }) => below(bytes, MIN_VIDEO_BYTES),
    'LinkedIn takes videos of at least 75 KB. Use a longer or sharper one.',
  ),
  warningRule(
    'video-long',
    ({ durationMs }) => above(durationMs, LONG_VIDEO_MS),
    'LinkedIn documents videos of at most 15 minutes on one page and 30 on another. It may refuse this one.',
  ),
];

export const rulesOf = (variant: Variant): NetworkRules => ({
  preflight: (content) => preflight(variant, content),
  textLength,
  renditions: renditionsBy({ image: IMAGE, animation: ANIMATION, video: VIDEO }),
  hasThreads: false,
  isPostId: (id) => postUrnIn(id) === id,
});

function preflight(variant: Variant, content: ContentToCheck): Finding[] {
  return [
    ...text(variant, content),
    ...card(variant, content),
    ...mediaFindings(variant, MEDIA_LIMITS, content.media, { video: OF_VIDEOS }),
    ...targets(variant, content),
    ...unsupportedOptions(variant, content.options, ['privacy']),
    ...privacy(variant, content),
  ];
}

function text({ platform }: Variant, content: ContentToCheck): Finding[] {
  const { media, link } = content;
  // Escapes only add to it. It is not parsed, because that takes long for a long text.
  if (content.text.length > MAX_LENGTH) return [tooLong(platform, 'far more')];
  if (content.text.trim() === '' && media.length === 0 && !link)
    return [error(`${platform}.text.empty`, 'A post on LinkedIn needs text, a link or a file.', '#/text')];
  const { length } = commentaryOf(content, media.length);
  return length > MAX_LENGTH ? [tooLong(platform, String(length))] : [];
}

/** Escapes included. A text that is too long to be parsed counts its UTF-16 units: more than LinkedIn takes in any case. */
function textLength(content: ContentToCheck): TextLength {
  const isParsed = content.text.length <= MAX_LENGTH;
  const { length } = isParsed ? commentaryOf(content, content.media.length) : content.text;
  return { length, limit: MAX_LENGTH };
}

const tooLong = (platform: string, counted: string): Finding =>
  error(
    `${platform}.text.too-long`,
    `LinkedIn counts ${counted} characters; at most ${MAX_LENGTH} are possible. Brackets, *, _, ~, @ and other reserved characters count 2.`,
    '#/text',
  );

/** What the author wrote and readers will not see as such. */
function card({ platform }: Variant, content: ContentToCheck): Finding[] {
  const { title, link, media } = content;
  const hasTitle = (title?.trim() ?? '') !== '';
  if (link && !hasTitle && media.length === 0) {
    const message = 'LinkedIn shows a link without a title as text. Add a title to show it as a card.';
    return [warning(`${platform}.link.no-title`, message, '#/link')];
  }
  if (!hasTitle || media.length === 1 || articleOf(content, media.length)) return [];
  const message = 'LinkedIn shows a title of links and single files only. This title is not shown.';
  return [warning(`${platform}.title.not-shown`, message, '#/title')];
}

/** A company's account is the organization. A post for another one must not be published by this account. */
function targets({ platform }: Variant, { target, account }: ContentToCheck): Finding[] {
  const isCompany = platform === 'linkedin-company';
  const refused = isCompany ? namedParts(target, ['pageId', 'groupId']) : namedParts(target);
  const unsupported = refused.map((part) =>
    error(
      `${platform}.target.unsupported`,
      isCompany
        ? 'A post for a company on LinkedIn names an organization only. Remove pages and groups from the target.'
        : 'A post of a member on LinkedIn has no page, group or organization. Remove it from the target.',
      `#/target/${part}`,
    ),
  );
  const { organizationId } = target;
  if (!isCompany || account === null || organizationId === undefined || organizationId === account.accountId)
    return unsupported;
  const message = 'The organization is not connected to the brand. Connect it, or choose another one.';
  return [...unsupported, error(`${platform}.target.organization`, message, '#/target/organizationId')];
}

function privacy({ platform, privacies }: Variant, { options }: ContentToCheck): Finding[] {
  if (options.privacy === undefined || privacies.includes(options.privacy)) return [];
  const message = `A post ${platform === 'linkedin' ? 'of a member' : 'of a company'} on LinkedIn can be ${privacies.join(' or ')}. Choose one of these.`;
  return [error(`${platform}.options.privacy`, message, '#/options/privacy')];
}
