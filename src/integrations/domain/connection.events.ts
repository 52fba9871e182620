import type { Instant, Platform } from '#libs/content';

/**
 * Events of a connection name its ids and the fields that changed, never their values: profiles are personal, tokens secret.
 * `ReconnectNeeded`: the network refuses the grant for good: to renew it, or whatever is renewed with it. `GrantEndsSoon`: only the owner
 * can prolong the grant, by connecting again; once for each version of the tokens.
 */
export interface ConnectionEvent {
  readonly type:
    'AccountConnected' | 'AccountReconnected' | 'ReconnectNeeded' | 'GrantEndsSoon' | 'AccountDisconnected';
  readonly data: {
    readonly connectionId: string;
    readonly brandId: string;
    readonly platform: string;
    readonly changed: readonly string[];
  };
}

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
