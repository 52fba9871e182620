import type { Finding, Target } from '#libs/content';
import type { ContentToCheck } from '../provider.js';

interface Named {
  readonly platform: string;
  readonly displayName: string;
}

const PARTS = ['pageId', 'groupId', 'organizationId'] as const;

/** The parts of a target that name something else than an account. */
export const namedParts = (
  target: Target,
  among: readonly (typeof PARTS)[number][] = PARTS,
): (typeof PARTS)[number][] => among.filter((part) => target[part] !== undefined);

/** Of a network that has accounts only. */
export function unsupportedTargets(
  { platform, displayName }: Named,
  { target }: Pick<ContentToCheck, 'target'>,
  severity: Finding['severity'] = 'error',
): Finding[] {
  return namedParts(target).map((part) => ({
    ruleId: `${platform}.target.unsupported`,
    severity,
    message: `${displayName} has no pages, groups or organizations. Remove them from the target.`,
    pointer: `#/target/${part}`,
  }));
}

/** No more than a warning when a post is sent, because earlier releases accepted such targets, and published to the account. */
export const formerlyAcceptedTargets = (
  network: Named,
  { target, isSent }: Pick<ContentToCheck, 'target' | 'isSent'>,
): Finding[] => unsupportedTargets(network, { target }, isSent ? 'warning' : 'error');
