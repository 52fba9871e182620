import type { Instant, Platform } from '#libs/content';
import type { PublishingTarget } from './provider-grants.js';

/**
 * `active` publishes. `reconnect-needed`: the network ended the grant; only a person can renew it.
 * `disconnected`: somebody removed it here; its tokens and profile are gone, its id stays for the history.
 */
export type ConnectionState = 'active' | 'reconnect-needed' | 'disconnected';

/** One account of a network, connected to a brand by one of its members. Never holds a token. */
export interface Connection {
  readonly id: string;
  readonly brandId: string;
  /** The member who connected it. */
  readonly userId: string;
  readonly platform: Platform;
  /** The network's id of the account. */
  readonly accountId: string;
  readonly username: string;
  readonly displayName: string;
  readonly avatarUrl: string | null;
  readonly scopes: readonly string[];
  readonly pages: readonly PublishingTarget[];
  readonly groups: readonly PublishingTarget[];
  readonly state: ConnectionState;
  /** Until when the network, or this service's setup at it, cannot take posts. */
  readonly heldUntil: Instant | null;
  readonly holdReason: string | null;
  readonly accessExpiresAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** One account is sent to one post at a time, however many brands and members connected it. */
export function accountKey(connection: { platform: string; accountId: string }): string {
  return `account:${connection.platform}:${connection.accountId}`;
}
