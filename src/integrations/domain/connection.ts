import type { Instant, Platform } from '#libs/content';
import type { AccountFacts, PublishingTarget } from './provider-grants.js';

/** `reconnect-needed`: only a person can renew the grant. `disconnected`: tokens and profile are erased, the id stays for the history. */
export type ConnectionState = 'active' | 'reconnect-needed' | 'disconnected';

/** One account of a network, connected to a brand by one of its members. Never holds a token. */
export interface Connection {
  readonly id: string;
  readonly brandId: string;
  readonly userId: string;
  readonly platform: Platform;
  readonly accountId: string;
  readonly username: string;
  readonly displayName: string;
  readonly avatarUrl: string | null;
  readonly facts: AccountFacts;
  readonly scopes: readonly string[];
  readonly pages: readonly PublishingTarget[];
  readonly groups: readonly PublishingTarget[];
  readonly state: ConnectionState;
  readonly heldUntil: Instant | null;
  readonly holdReason: string | null;
  readonly accessExpiresAt: Instant | null;
  readonly hasRefreshToken: boolean;
  /** null: not stated, or there is none. */
  readonly refreshExpiresAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** When it was read, by the database's clock. */
  readonly readAt: Instant;
}

/** Key of the lease under which one post at a time is sent to an account, in all brands. */
export function accountKey(connection: { platform: string; accountId: string }): string {
  return `account:${connection.platform}:${connection.accountId}`;
}
