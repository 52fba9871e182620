import type { Finding } from '../delivery.js';
import type { Platform } from '../platforms.js';
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

export const PLANNED_PROVIDERS: readonly Provider[] = [
  new PlannedProvider('linkedin', 'LinkedIn'),
  new PlannedProvider('linkedin-company', 'LinkedIn for companies'),
  new PlannedProvider('facebook', 'Facebook'),
  new PlannedProvider('instagram', 'Instagram'),
  new PlannedProvider('threads', 'Threads'),
  new PlannedProvider('youtube', 'YouTube'),
  new PlannedProvider('tiktok', 'TikTok'),
];
