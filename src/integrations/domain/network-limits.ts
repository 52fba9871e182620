import type { Instant } from '#libs/content';

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
  /** `rolling`: within any `windowMs`. `fixed`: the first call after a window begins the next one. `day`: in `timeZone`. */
  readonly window:
    | { readonly kind: 'rolling' | 'fixed'; readonly windowMs: number }
    | { readonly kind: 'day'; readonly timeZone: string };
}

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

export interface ApiVersion {
  /** As the network writes it, such as `v26.0` or `202608`. */
  readonly name: string;
  /** When the network stops serving it; null: not announced. */
  readonly endsAt: Instant | null;
}
