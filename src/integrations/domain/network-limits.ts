import type { Instant } from '#libs/content';

/** A limit that a network publishes for this service. */
export interface NetworkLimit {
  /** Stable, kebab-case, such as `posts-per-day`. Unique within the network. */
  readonly name: string;
  /** Whose calls are counted together: those of one account, or of this service with all accounts. */
  readonly scope: 'account' | 'app';
  /** What counts: the irreversible call, or each call of a delivery. */
  readonly counts: 'posts' | 'calls';
  /** null: not published as a number. Only readings tell how much is left. */
  readonly max: number | null;
  /** The network states percent of a number that it keeps to itself: no number of calls can be granted. */
  readonly isPercent?: true;
  /**
   * `rolling`: within any `windowMs`. `fixed`: within windows of `windowMs` that begin with the first call after the one before.
   * `day`: from midnight to midnight in `timeZone`.
   */
  readonly window:
    | { readonly kind: 'rolling' | 'fixed'; readonly windowMs: number }
    | { readonly kind: 'day'; readonly timeZone: string };
}

/** What a network says in a response about one of its limits. */
export interface LimitReading {
  /** The name of a `NetworkLimit`. */
  readonly name: string;
  /** Calls, or percent where the network states percent. */
  readonly remaining: number;
  /** null: the network does not say. */
  readonly resetsAt: Instant | null;
  /** null: the network does not say. */
  readonly max: number | null;
}

/** The version of a network's interface that this service calls. */
export interface ApiVersion {
  /** As the network writes it, such as `v26.0` or `202608`. */
  readonly name: string;
  /** When the network stops serving it; null: not announced. */
  readonly endsAt: Instant | null;
}
