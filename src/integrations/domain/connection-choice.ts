import type { FailureReport, Instant, Platform, Target } from '#libs/content';
import type { ConnectionState } from './connection.js';
import type { AccountFacts } from './provider-grants.js';
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
  | {
      readonly kind: 'none';
      readonly failure: FailureReport;
      /** Members of the target that name what no connection of the brand reaches. Empty while the brand has no account of the network. */
      readonly unreached: readonly TargetMember[];
    };

export type TargetMember = keyof Target;

/**
 * The author's active connection, else another active one of the brand that reaches the same: what the target names; without a target
 * the account of the author, or the only account of the brand when the author has none. A post never goes to one of several accounts
 * that no user chose. Candidates are sorted by age, oldest first. docs/design/accounts.md
 */
export function chooseConnection(
  candidates: readonly ConnectionCandidate[],
  request: ConnectionRequest,
): ConnectionChoice {
  const { target, authorId } = request;
  const isNamed = hasTarget(target);
  const none = (failure: FailureReport): ConnectionChoice => ({
    kind: 'none',
    failure,
    unreached: isNamed && candidates.length > 0 ? unreachedIn(candidates, target) : [],
  });
  const fitting = isNamed ? reaching(candidates, target) : accountsOf(candidates, authorId);
  const active = fitting.filter(isActive);
  if (active.length === 0) return none(missing(candidates, fitting));
  if (!isNamed && new Set(active.map(({ accountKey }) => accountKey)).size > 1) return none(ambiguous);
  const chosen =
    active.find(({ id }) => id === target?.connectionId) ??
    active.find(({ userId }) => userId === authorId) ??
    active[0];
  const { id, accountId, username, facts, accountKey, heldUntil, holdReason, network } =
    chosen as ConnectionCandidate;
  const account = { accountId, username, facts };
  return { kind: 'connection', connectionId: id, account, accountKey, heldUntil, holdReason, network };
}

/** Whatever the state of the connections. */
function unreachedIn(candidates: readonly ConnectionCandidate[], target: Target): readonly TargetMember[] {
  const isReached = (member: TargetMember) => reaching(candidates, { [member]: target[member] }).length > 0;
  return TARGETS.filter((member) => target[member] !== undefined && !isReached(member));
}

const TARGETS = ['connectionId', 'pageId', 'groupId', 'organizationId', 'accountId'] as const;

const isActive = ({ state }: ConnectionCandidate): boolean => state === 'active';

const hasTarget = (target: Target | null | undefined): target is Target =>
  target != null && TARGETS.some((member) => target[member] !== undefined);

/** Connections to everything that the target names; a connection stands for its account. */
function reaching(
  candidates: readonly ConnectionCandidate[],
  target: Target,
): readonly ConnectionCandidate[] {
  const { connectionId, accountId, pageId, groupId, organizationId } = target;
  const named = candidates.find(({ id }) => id === connectionId);
  // A page may be an account of its own, or belong to one.
  const within = [pageId, groupId, organizationId].filter((id) => id !== undefined);
  return candidates.filter(
    (candidate) =>
      (connectionId === undefined || candidate.accountKey === named?.accountKey) &&
      (accountId === undefined || candidate.accountId === accountId) &&
      within.every((id) => id === candidate.accountId || candidate.targetIds.includes(id)),
  );
}

/** Connections to the accounts that the author connected, as far as those can be used; to all when the author connected none. */
function accountsOf(
  candidates: readonly ConnectionCandidate[],
  authorId: string,
): readonly ConnectionCandidate[] {
  const own = candidates.filter(({ userId }) => userId === authorId);
  if (own.length === 0) return candidates;
  const usable = own.some(isActive) ? own.filter(isActive) : own;
  const accounts = new Set(usable.map(({ accountKey }) => accountKey));
  return candidates.filter(({ accountKey }) => accounts.has(accountKey));
}

function missing(
  candidates: readonly ConnectionCandidate[],
  fitting: readonly ConnectionCandidate[],
): FailureReport {
  if (fitting.length === 0) return notConnected;
  return candidates.some(isActive) ? noOtherConnection : needsReconnect;
}

const notConnected: FailureReport = {
  code: 'account_not_connected',
  class: 'configuration',
  networkCode: null,
  message: 'No account of this network that the post may use is connected to the brand.',
  nextStep: 'Connect the account to the brand, then retry the post.',
};

const ambiguous: FailureReport = {
  code: 'account_ambiguous',
  class: 'configuration',
  networkCode: null,
  message: 'The brand has several accounts of this network, and the post names none of them.',
  nextStep: 'Choose an account as the target of the post, then retry it.',
};

const noOtherConnection: FailureReport = {
  code: 'account_not_reachable',
  class: 'configuration',
  networkCode: null,
  message: 'The connection to this account has ended, and no other one of the brand reaches it.',
  nextStep: 'Connect the account again, or choose another target for the post; then retry the post.',
};

const needsReconnect: FailureReport = {
  code: 'reconnect_needed',
  class: 'auth',
  networkCode: null,
  message: 'The network no longer accepts the connection of this account.',
  nextStep: 'Connect the account again, then retry the post.',
};
