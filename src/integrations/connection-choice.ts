import type { FailureReport, Instant, Platform } from '#libs/content';
import type { ConnectionState } from './connection.js';

export interface ConnectionRequest {
  readonly brandId: string;
  readonly platform: Platform;
  readonly authorId: string;
  readonly target?: { readonly connectionId?: string | null; readonly accountId?: string | null } | null;
}

export interface Candidate {
  readonly id: string;
  readonly userId: string;
  readonly accountId: string;
  readonly state: ConnectionState;
  readonly accountKey: string;
  readonly heldUntil: Instant | null;
  readonly holdReason: string | null;
}

/** Where a post goes out, or why it cannot. */
export type ConnectionChoice =
  | {
      readonly kind: 'connection';
      readonly connectionId: string;
      /** One post at a time under this key. */
      readonly accountKey: string;
      /** Not before this instant; null when it may go now. */
      readonly heldUntil: Instant | null;
      readonly holdReason: string | null;
    }
  | { readonly kind: 'none'; readonly failure: FailureReport };

/** The author's active connection, else another active one of the brand; an explicit target narrows both. Candidates come oldest first. */
export function chooseConnection(
  candidates: readonly Candidate[],
  request: ConnectionRequest,
): ConnectionChoice {
  const fitting = candidates.filter((candidate) => fits(candidate, request));
  const active = fitting.filter(({ state }) => state === 'active');
  const chosen = active.find(({ userId }) => userId === request.authorId) ?? active[0];
  if (!chosen) return { kind: 'none', failure: fitting.length > 0 ? needsReconnect : notConnected };
  const { id, accountKey, heldUntil, holdReason } = chosen;
  return { kind: 'connection', connectionId: id, accountKey, heldUntil, holdReason };
}

function fits(candidate: Candidate, { target }: ConnectionRequest): boolean {
  if (target?.connectionId && target.connectionId !== candidate.id) return false;
  return !target?.accountId || target.accountId === candidate.accountId;
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
