import type { NetworkRules } from '../provider.js';

/** A post can be drafted, with a warning. No post was ever published, so no id is one. */
export const plannedRules = (platform: string, displayName: string): NetworkRules => ({
  preflight: () => [
    {
      ruleId: `${platform}.platform.planned`,
      severity: 'warning',
      message: `${displayName} cannot be connected yet; this post cannot be published until it can.`,
      pointer: '#/platform',
    },
  ],
  renditions: ({ media }) => media.map(() => null),
  hasThreads: true,
  isPostId: () => false,
});
