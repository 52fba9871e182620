import { unknownMedia } from '#libs/content';
import type { Finding, Platform } from '#libs/content';
import type { Account } from '../../integrations/index.js';
import { preflightContent } from '../../integrations/index.js';
import type { Blocker, PostContent } from '../domain/post.events.js';

/**
 * Checks a content against the rules of its network. Pure.
 * @param account the account that will publish the post; null if it is not chosen yet
 */
export function preflight(
  platform: Platform,
  content: PostContent,
  account: Account | null = null,
): Finding[] {
  const { text, title, link, target, mediaIds } = content;
  // This release has no media library: only the id of a file is known.
  const media = mediaIds.map(unknownMedia);
  return preflightContent(platform, { text, title, link, target, media, account });
}

/** The findings that prevent publication. */
export const blockersIn = (findings: readonly Finding[]): Blocker[] =>
  findings
    .filter(({ severity }) => severity === 'error')
    .map(({ ruleId, message, pointer }) => ({ ruleId, message, pointer }));
