import type { DeliveryFile, FailureReport, Instant } from '#libs/content';
import type { AccountFacts } from './provider-grants.js';
import type { DeliveryContent, PublishedPost } from './delivery-outcome.js';
import type { LimitReading } from './network-limits.js';

export interface Account {
  readonly accountId: string;
  readonly username: string;
  readonly facts: AccountFacts;
}

export interface NetworkCall {
  readonly account: Account;
  readonly accessToken: string;
  /** Owner of the brand, for calls that are attributed to it. */
  readonly organizationId: string;
  /** The same for every repeat within an attempt; for networks with idempotency keys. */
  readonly attemptId: string;
  readonly content: DeliveryContent;
  /** In the order of `content.mediaIds`. */
  readonly files: readonly DeliveryFile[];
}

export interface Prepared {
  /** Containers, uploads, media: opaque ids by a name that the provider chose. They enter the event log: never secrets. */
  readonly ids: Readonly<Record<string, string>>;
  /** Upload and session addresses by a name that the provider chose. They are credentials, encrypted at rest. */
  readonly addresses: Readonly<Record<string, string>>;
  /** What only the provider needs to continue, by a name that it chose, such as when an id expires. Encrypted at rest. */
  readonly notes: Readonly<Record<string, string>>;
  /** Milliseconds since the first step began, by the database's clock. Bounds waits. */
  readonly ageMs: number;
}

export interface PrepareCall extends NetworkCall {
  readonly step: string;
  readonly prepared: Prepared;
}

type Returned = Partial<Pick<Prepared, 'ids' | 'addresses' | 'notes'>>;

/** What the response to the last call says about limits of the network; absent: nothing. */
interface Metered {
  readonly readings?: readonly LimitReading[];
}

export type PrepareResponse = Metered & PrepareResult;

type PrepareResult =
  /** Continue with `step` at once. */
  | ({ readonly kind: 'next'; readonly step: string } & Returned)
  /** The network needs time. Continue with `step` afterwards. */
  | ({ readonly kind: 'wait'; readonly step: string; readonly milliseconds: number } & Returned)
  /** Everything is there for `commit`. */
  | ({ readonly kind: 'ready' } & Returned)
  /** No usable response. The step may be repeated. */
  | { readonly kind: 'no-answer'; readonly failure: FailureReport }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface CommitCall extends NetworkCall {
  readonly prepared: Prepared;
  /** Asked at the last moment before the request is written; false: the call must not be made. */
  readonly maySend: () => boolean;
}

export type CommitResponse = Metered & CommitResult;

type CommitResult =
  | ({ readonly kind: 'published' } & PublishedPost)
  /**
   * The network has everything and decides later whether it publishes the post: `reconcile` tells, first after so many
   * milliseconds. Only for content that needs preparation. `ids` are added to what was prepared.
   */
  | { readonly kind: 'accepted'; readonly milliseconds: number; readonly ids?: Prepared['ids'] }
  /** It never left this machine: may be repeated. */
  | { readonly kind: 'not-sent'; readonly failure: FailureReport }
  | { readonly kind: 'abandoned' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** It left, and no readable response came: never repeat. `isSilent`: none came, or that of a server that fails. */
  | { readonly kind: 'unconfirmed'; readonly failure: FailureReport; readonly isSilent?: true };

export interface NetworkResponse {
  readonly status: number;
  /** Names in lower case; of a repeated header the first value. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed JSON; undefined when the body is no JSON. */
  readonly body: unknown;
}

/** The network said no, definitely: nothing was published. */
export interface Refusal {
  readonly failure: FailureReport;
  /** What would make a repeat sensible; absent: nothing would. */
  readonly remedy?: Remedy;
  readonly duplicate?: boolean;
  /** With `duplicate`: the post that the network names. */
  readonly existing?: PublishedPost;
}

export type Remedy =
  | { readonly kind: 'refresh' }
  /** A few times within an attempt. `prepareAgain`: afterwards, the content is prepared again, because the network stays so. */
  | { readonly kind: 'wait'; readonly milliseconds: number; readonly prepareAgain?: true }
  /** No post of the account before that is over. */
  | { readonly kind: 'hold'; readonly milliseconds: number }
  /**
   * Only this post waits: the limit is of calls that other posts do not need, or a file is not ready. At the irreversible call only
   * for content that was prepared. All waits of a post have one budget. `prepareAgainAfterMs`: a smaller one, after which the content is
   * prepared again.
   */
  | { readonly kind: 'postpone'; readonly milliseconds: number; readonly prepareAgainAfterMs?: number }
  /** What was prepared has expired or is unusable: prepare again from the first step. */
  | { readonly kind: 'prepare-again' };

export interface PreparedBefore extends Prepared {
  /** Milliseconds since the last step or the begin of the irreversible call, by the database's clock. Absent: not known. */
  readonly quietMs?: number;
}

export interface ReconcileRequest {
  readonly account: Account;
  readonly accessToken: string;
  /** As in `NetworkCall`. */
  readonly organizationId: string;
  readonly content: DeliveryContent;
  /** null: nothing was prepared, or it is no longer known. */
  readonly prepared: PreparedBefore | null;
  /** When the attempt began, by our database's clock. */
  readonly since: Instant;
}
