import type { Finding, ImageSpec, Instant, MediaFacts, Platform } from '#libs/content';
import type { DomainError } from '#libs/errors';
import {
  type Account,
  type ContentToCheck,
  preflightContent,
  renditionsOf,
} from '../../integrations/index.js';
import { type Fit, fitImage, keepsOriginal } from '../../media/index.js';
import { mediaCountsOf } from '../domain/media-uses.js';
import type { Blocker, MediaCounts, PostContent } from '../domain/post.events.js';
import { refusalsOfNew } from '../domain/writing.js';

const MESSAGE =
  'The file is signed (Content Credentials), and must be changed to fit the network: the signature is lost. A mark that a model made it stays. Upload a picture in the format and size of the network, without a place, to keep it.';

/** Files that lose their Content Credentials. Pure. */
function credentialFindings(platform: Platform, content: ContentToCheck): Finding[] {
  if (!content.media.some(({ hasCredentials }) => hasCredentials)) return [];
  return renditionsOf(platform, content).flatMap((spec, index): Finding[] => {
    const file = content.media[index];
    if (!file?.hasCredentials || spec === null || keepsOriginal(file, spec)) return [];
    const ruleId = `${platform}.media.credential-lost`;
    return [{ ruleId, severity: 'warning', message: MESSAGE, pointer: `#/mediaIds/${index}` }];
  });
}

/** The size does not depend on the focus point. */
const CENTRE = { x: 0.5, y: 0.5 };
/** Whole pixels rarely have a ratio exactly. */
const ROUNDING_PIXELS = 1;

/** Pictures of which the network shows a part only, with the size that they get. Pure. */
function cropFindings(platform: Platform, content: ContentToCheck): Finding[] {
  if (content.media.length === 0) return [];
  return renditionsOf(platform, content).flatMap((spec, index) => {
    const message = spec?.kind === 'image' ? cutOf(content.media[index], spec) : null;
    if (message === null) return [];
    return [
      { ruleId: `${platform}.media.cropped`, severity: 'warning', message, pointer: `#/mediaIds/${index}` },
    ];
  });
}

/** @returns null when nothing is cut, or the size is not known */
function cutOf(file: MediaFacts | undefined, spec: ImageSpec): string | null {
  if (!file?.width || !file.height) return null;
  const fit = fitImage({ width: file.width, height: file.height }, spec, CENTRE);
  const side = fit && cutSide(fit);
  if (!fit || !side) return null;
  const { scaled, region } = fit;
  const percent = Math.max(1, Math.round(100 * (1 - region[side] / scaled[side])));
  return `The picture of ${file.width} × ${file.height} pixels becomes one of ${region.width} × ${region.height} pixels: ${percent} % of its ${side} is cut off, around its focus point. Crop it to choose what is shown.`;
}

const cutSide = ({ scaled, region }: Fit): 'width' | 'height' | undefined =>
  (['width', 'height'] as const).find((side) => scaled[side] - region[side] > ROUNDING_PIXELS);

/** What the rules of a network are asked about. */
export interface PreflightRequest {
  readonly platform: Platform;
  readonly content: PostContent;
  /** The files of the content, in their order; the kind of a file that no longer exists is null. */
  readonly media: readonly MediaFacts[];
  /** The account that the content names, or that will publish the post; null if it is not chosen yet. */
  readonly account: Account | null;
  /** What the target names and nothing reaches; absent: not looked for. */
  readonly targetFindings?: readonly Finding[];
  /** Files that could not be made to fit the network, or only in part; absent: not looked for. */
  readonly ofRenditions?: readonly Finding[];
}

/** Checks a content against the rules of its network, and tells what its renditions leave out. Pure. */
export function preflight(request: PreflightRequest): Finding[] {
  const content = contentToCheck(request);
  const findings = preflightContent(request.platform, content);
  const lost = credentialFindings(request.platform, content);
  return withMissing(request, [...findings, ...cropFindings(request.platform, content), ...lost]);
}

export interface WrittenPreflight {
  readonly findings: readonly Finding[];
  /** Without those of renditions. */
  readonly blockers: readonly Blocker[];
  /** Files that could not be made to fit the network: they refuse a schedule, and are not recorded. */
  readonly unfit: readonly Blocker[];
  /** undefined without files. */
  readonly media: MediaCounts | undefined;
}

/** As `preflight`, with what the events of a written content record. */
export function preflightOfWritten(request: PreflightRequest): WrittenPreflight {
  const { ofRenditions = [], ...rest } = request;
  const recorded = preflight(rest);
  const media = mediaCountsOf(request.media);
  return {
    findings: [...recorded, ...ofRenditions],
    blockers: blockersIn(recorded),
    unfit: blockersIn(ofRenditions),
    media,
  };
}

/** As `preflight`, for a post that its account is about to send. */
export const preflightOfSent = (request: PreflightRequest): Finding[] =>
  withMissing(request, preflightContent(request.platform, { ...contentToCheck(request), isSent: true }));

/** A content as the rules of networks read it. */
export function contentToCheck({ content, media, account }: PreflightRequest): ContentToCheck {
  const { text, title, link, target, options = {} } = content;
  return { text, title, link, target, options, media, account };
}

const withMissing = (
  { platform, media, targetFindings = [], ofRenditions = [] }: PreflightRequest,
  findings: Finding[],
): Finding[] => [...findings, ...targetFindings, ...missingFiles(platform, media), ...ofRenditions];

/** Of files that no longer exist. */
export const missingFiles = (platform: Platform, media: readonly MediaFacts[]): Finding[] =>
  media.flatMap(({ kind }, index) => (kind === null ? [missingFile(platform, index)] : []));

const missingFile = (platform: Platform, index: number): Finding => ({
  ruleId: `${platform}.media.missing`,
  severity: 'error',
  message: 'The file no longer exists in the media library. Remove it, or upload it again.',
  pointer: `#/mediaIds/${index}`,
});

/** What refuses the creation of a post with this content besides the rules of its network. Pure. */
export const creationFindings = (post: Parameters<typeof refusalsOfNew>[0], now: Instant): Finding[] =>
  refusalsOfNew(post, now).flatMap(findingsOf);

/** A refusal of a decision as preflight reports it. */
export const findingsOf = ({ code: ruleId, message, errors }: DomainError): Finding[] =>
  errors.map(({ pointer = '#' }) => ({ ruleId, severity: 'error', message, pointer }));

/** The findings that prevent publication. */
export const blockersIn = (findings: readonly Finding[] = []): Blocker[] =>
  findings
    .filter(({ severity }) => severity === 'error')
    .map(({ ruleId, message, pointer }) => ({ ruleId, message, pointer }));
