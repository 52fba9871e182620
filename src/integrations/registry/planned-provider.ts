import type { Platform } from '#libs/content';
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
}
