import type { Instant, Platform } from '#libs/content';

/** Events of a connection name its ids and the fields that changed, never their values: profiles are personal, tokens secret. */
interface AccountConnected {
  readonly type: 'AccountConnected';
  readonly data: ConnectionIds & { readonly changed: readonly string[] };
}

interface AccountReconnected {
  readonly type: 'AccountReconnected';
  readonly data: ConnectionIds & { readonly changed: readonly string[] };
}

/** The network refuses the grant for good: to renew it, or whatever is renewed with it. */
interface ReconnectNeeded {
  readonly type: 'ReconnectNeeded';
  readonly data: ConnectionIds & { readonly changed: readonly string[] };
}

/** Only the owner can prolong the grant, by connecting again. Once for each version of the tokens. */
interface GrantEndsSoon {
  readonly type: 'GrantEndsSoon';
  readonly data: ConnectionIds & { readonly changed: readonly string[] };
}

interface AccountDisconnected {
  readonly type: 'AccountDisconnected';
  readonly data: ConnectionIds & { readonly changed: readonly string[] };
}

interface ConnectionIds {
  readonly connectionId: string;
  readonly brandId: string;
  readonly platform: string;
}

export type ConnectionEvent =
  AccountConnected | AccountReconnected | ReconnectNeeded | GrantEndsSoon | AccountDisconnected;

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
