import type { Finding, MediaFacts, Platform } from '#libs/content';
import type { Account } from '../../integrations/index.js';
import { preflightContent } from '../../integrations/index.js';
import type { Blocker, PostContent } from '../domain/post.events.js';

/**
 * Checks a content against the rules of its network. Pure.
 * @param media the files of the content, in their order; the kind of a file that no longer exists is null
 * @param account the account that will publish the post; null if it is not chosen yet
 */
export function preflight(
  platform: Platform,
  content: PostContent,
  media: readonly MediaFacts[],
  account: Account | null = null,
): Finding[] {
  const { text, title, link, target, options = {} } = content;
  const missing = media.flatMap(({ kind }, index) => (kind === null ? [missingFile(platform, index)] : []));
  return [...preflightContent(platform, { text, title, link, target, options, media, account }), ...missing];
}

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
