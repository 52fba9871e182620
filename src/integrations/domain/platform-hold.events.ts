import type { Instant, Platform } from '#libs/content';

/** An operator ended the hold of a network before its time. Its stream is this hold alone. */
export interface PlatformHoldEnded {
  readonly type: 'PlatformHoldEnded';
  readonly data: {
    readonly platform: Platform;
    /** Why the network was held. Stable, snake_case. */
    readonly reason: string;
    /** When the hold would have ended by itself; null: when the network accepts this service again. */
    readonly until: Instant | null;
  };
}
