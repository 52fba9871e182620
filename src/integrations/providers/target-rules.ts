import type { Finding } from '#libs/content';
import type { ContentToCheck } from '../provider.js';

interface Named {
  readonly platform: string;
  readonly displayName: string;
}

/**
 * Of a network that has accounts only. No more than a warning when a post is sent, because earlier releases accepted such targets, and
 * published to the account.
 */
export function unsupportedTargets(
  { platform, displayName }: Named,
  { target, isSent }: Pick<ContentToCheck, 'target' | 'isSent'>,
): Finding[] {
  const named = (['pageId', 'groupId', 'organizationId'] as const).filter(
    (part) => target[part] !== undefined,
  );
  return named.map((part) => ({
    ruleId: `${platform}.target.unsupported`,
    severity: isSent ? 'warning' : 'error',
    message: `${displayName} has no pages, groups or organizations. Remove them from the target.`,
    pointer: `#/target/${part}`,
  }));
}
