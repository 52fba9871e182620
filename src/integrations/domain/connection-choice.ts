import type { FailureReport, Instant, Platform, Target } from '#libs/content';
import type { ConnectionState } from './connection.js';
import type { AccountFacts } from './account-facts.js';
import type { NetworkState } from './network-state.js';
import type { Account } from './provider-publishing.js';

export interface ConnectionRequest {
  readonly brandId: string;
  readonly platform: Platform;
  readonly authorId: string;
  readonly target?: Target | null;
}

export interface ConnectionCandidate {
  readonly id: string;
  readonly userId: string;
  readonly accountId: string;
  readonly username: string;
  readonly facts: AccountFacts;
  /** Ids of the pages and groups that the account may publish to. */
  readonly targetIds: readonly string[];
  readonly state: ConnectionState;
  readonly accountKey: string;
  readonly heldUntil: Instant | null;
  readonly holdReason: string | null;
  readonly network: NetworkState;
}

/** The connection that publishes a post, or why there is none. */
export type ConnectionChoice =
  | {
      readonly kind: 'connection';
      readonly connectionId: string;
      readonly account: Account;
      /** One post at a time under this key. */
      readonly accountKey: string;
      /** Not before this instant; null: now. */
      readonly heldUntil: Instant | null;
      readonly holdReason: string | null;
      readonly network: NetworkState;
    }
  | { readonly kind: 'none'; readonly failure: FailureReport };

/**
 * The author's active connection, else another active one of the brand; an explicit target narrows both. A page, group or organization
 * that no connection lists narrows nothing: the network decides. Candidates are sorted by age, oldest first.
 */
export function chooseConnection(
  candidates: readonly ConnectionCandidate[],
  request: ConnectionRequest,
): ConnectionChoice {
  const fitting = candidates.filter((candidate) => fits(candidate, request));
  const named = fitting.filter((candidate) => isOrHasTarget(candidate, request));
  const active = (named.length > 0 ? named : fitting).filter(({ state }) => state === 'active');
  const chosen = active.find(({ userId }) => userId === request.authorId) ?? active[0];
  if (!chosen) return { kind: 'none', failure: fitting.length > 0 ? needsReconnect : notConnected };
  const { id, accountId, username, facts, accountKey, heldUntil, holdReason, network } = chosen;
  const account = { accountId, username, facts };
  return { kind: 'connection', connectionId: id, account, accountKey, heldUntil, holdReason, network };
}

function fits(candidate: ConnectionCandidate, { target }: ConnectionRequest): boolean {
  if (target?.connectionId && target.connectionId !== candidate.id) return false;
  return !target?.accountId || target.accountId === candidate.accountId;
}

/** A page may be an account of its own, or belong to one. */
function isOrHasTarget(
  { accountId, targetIds }: ConnectionCandidate,
  { target }: ConnectionRequest,
): boolean {
  const named = [target?.pageId, target?.groupId, target?.organizationId].filter((id) => id !== undefined);
  return named.length > 0 && named.every((id) => id === accountId || targetIds.includes(id));
}

const notConnected: FailureReport = {
  code: 'account_not_connected',
  class: 'configuration',
  networkCode: null,
  message: 'No account of this network that the post may use is connected to the brand.',
  nextStep: 'Connect the account to the brand, then retry the post.',
};

const needsReconnect: FailureReport = {
  code: 'reconnect_needed',
  class: 'auth',
  networkCode: null,
  message: 'The network no longer accepts the connection of this account.',
  nextStep: 'Connect the account again, then retry the post.',
};
