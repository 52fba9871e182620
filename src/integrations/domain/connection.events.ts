/** Events of a connection name its ids and the fields that changed, never their values: profiles are personal, tokens secret. */
export interface AccountConnected {
  readonly type: 'AccountConnected';
  readonly data: ConnectionIds & { readonly changed: readonly string[] };
}

export interface AccountReconnected {
  readonly type: 'AccountReconnected';
  readonly data: ConnectionIds & { readonly changed: readonly string[] };
}

/** The network refuses the grant for good: to renew it, or whatever is renewed with it. */
export interface ReconnectNeeded {
  readonly type: 'ReconnectNeeded';
  readonly data: ConnectionIds & { readonly changed: readonly string[] };
}

/** Only the owner can prolong the grant, by connecting again. Once for each version of the tokens. */
export interface GrantEndsSoon {
  readonly type: 'GrantEndsSoon';
  readonly data: ConnectionIds & { readonly changed: readonly string[] };
}

export interface AccountDisconnected {
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
