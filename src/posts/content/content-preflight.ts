import type { Finding, Instant, MediaFacts, Platform } from '#libs/content';
import type { DomainError } from '#libs/errors';
import { type Account, type ContentToCheck, preflightContent } from '../../integrations/index.js';
import { mediaCountsOf } from '../domain/media-uses.js';
import type { Blocker, MediaCounts, PostContent } from '../domain/post.events.js';
import { credentialFindings } from './credential-findings.js';
import { cropFindings } from './crop-findings.js';
import { refusalsOfNew } from '../domain/writing.js';

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
