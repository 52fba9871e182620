import type { Finding, Platform } from '#libs/content';
import type { Provider, Readiness } from '../provider.js';

/** A network whose posts can be drafted, but whose accounts cannot be connected yet. */
export class PlannedProvider implements Provider {
  constructor(
    readonly platform: Platform,
    readonly displayName: string,
  ) {}

  readiness(): Readiness {
    return 'planned';
  }

  preflight(): Finding[] {
    return [
      {
        ruleId: `${this.platform}.platform.planned`,
        severity: 'warning',
        message: `${this.displayName} cannot be connected yet; this post cannot be published until it can.`,
        pointer: '#/platform',
      },
    ];
  }

  /** Nothing was ever published there. */
  isPostId(): boolean {
    return false;
  }
}
