import type { NetworkRules } from '../provider.js';
import { warning } from './findings.js';

/** A post can be drafted, with a warning. No post was ever published, so no id is one. */
export const plannedRules = (platform: string, displayName: string): NetworkRules => ({
  preflight: () => [
    warning(
      `${platform}.platform.planned`,
      `${displayName} cannot be connected yet; this post cannot be published until it can.`,
      '#/platform',
    ),
  ],
  renditions: ({ media }) => media.map(() => null),
  hasThreads: true,
  isPostId: () => false,
});
