import type { Finding, MediaFacts, Platform } from '#libs/content';
import type { Account, ContentToCheck } from '../../integrations/index.js';
import { preflightContent } from '../../integrations/index.js';
import { mediaCountsOf } from '../domain/media-uses.js';
import type { Blocker, MediaCounts, PostContent } from '../domain/post.events.js';

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
}

/** Checks a content against the rules of its network. Pure. */
export const preflight = (request: PreflightRequest): Finding[] =>
  withMissing(request, preflightContent(request.platform, contentToCheck(request)));

export interface WrittenPreflight {
  readonly findings: readonly Finding[];
  readonly blockers: readonly Blocker[];
  /** undefined without files. */
  readonly media: MediaCounts | undefined;
}

/** As `preflight`, with what the events of a written content record. */
export function preflightOfWritten(request: PreflightRequest): WrittenPreflight {
  const findings = preflight(request);
  return { findings, blockers: blockersIn(findings), media: mediaCountsOf(request.media) };
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
  { platform, media, targetFindings = [] }: PreflightRequest,
  findings: Finding[],
): Finding[] => [
  ...findings,
  ...targetFindings,
  ...media.flatMap(({ kind }, index) => (kind === null ? [missingFile(platform, index)] : [])),
];

const missingFile = (platform: Platform, index: number): Finding => ({
  ruleId: `${platform}.media.missing`,
  severity: 'error',
  message: 'The file no longer exists in the media library. Remove it, or upload it again.',
  pointer: `#/mediaIds/${index}`,
});

/** The findings that prevent publication. */
export const blockersIn = (findings: readonly Finding[]): Blocker[] =>
  findings
    .filter(({ severity }) => severity === 'error')
    .map(({ ruleId, message, pointer }) => ({ ruleId, message, pointer }));
