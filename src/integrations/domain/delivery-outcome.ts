import type { FailureReport, Instant, PostOptions, Target } from '#libs/content';

export interface DeliveryContent {
  readonly text: string;
  readonly title: string | null;
  /** Shown with the text; a network without link cards gets it as part of the text. */
  readonly link: string | null;
  readonly mediaIds: readonly string[];
  readonly target: Target;
  readonly options: PostOptions;
  /** The network's id of the previous part of the thread, or null for a post of its own. */
  readonly replyTo: string | null;
}

export interface PublishedPost {
  readonly platformPostId: string;
  readonly platformPostUrl: string;
}

/** How an attempt ended. Only `unconfirmed` leaves open whether the post is live. */
export type DeliveryOutcome =
  | ({ readonly kind: 'published' } & PublishedPost)
  /**
   * Nothing was published. `reason`: stable, snake_case. `isStated`: the network takes no post of this account, or of this service,
   * before that; absent: this post waits for something of its own.
   */
  | { readonly kind: 'held'; readonly until: Instant; readonly reason: string; readonly isStated?: true }
  /** Nothing was published. `duplicate`: the network says the same text is already there; `existing`: and names the post. */
  | {
      readonly kind: 'failed';
      readonly failure: FailureReport;
      readonly duplicate?: boolean;
      readonly existing?: PublishedPost;
    }
  /** Nothing was published, and the cause passes by itself. */
  | {
      readonly kind: 'passing';
      readonly failure: FailureReport;
      /** When that was known, by the database's clock. */
      readonly at: Instant;
      /** The network answers no account: posts of all accounts wait. */
      readonly isNetworkDown: boolean;
    }
  | { readonly kind: 'unconfirmed'; readonly failure: FailureReport }
  /** The network has everything and decides later: `ReconcileDelivery` tells, first after so many milliseconds. */
  | {
      readonly kind: 'accepted';
      readonly milliseconds: number;
      readonly ids: Readonly<Record<string, string>>;
    }
  /** The sender lost its right to send before the irreversible call; the call was not made. */
  | { readonly kind: 'abandoned' };

/** An attempt as the network could show it: what was sent, and when it began, by the database's clock. */
export interface AttemptOnNetwork {
  readonly content: Pick<DeliveryContent, 'text' | 'link'>;
  readonly since: Instant;
}

export interface FoundPost extends PublishedPost {
  /** Whether another attempt may have made it: same text, and not older than that attempt. Replies are not distinguished. */
  readonly mayBeOf: (attempt: AttemptOnNetwork) => boolean;
}

/** What a read-only search of the network shows of an attempt. `unknown` is no evidence. */
export type NetworkSearch =
  /** At least one. */
  | { readonly kind: 'found'; readonly posts: readonly FoundPost[] }
  /** There is none, and there will be none of this attempt. */
  | { readonly kind: 'not-delivered' }
  /** The network has the post and has not decided yet. Ask again after so many milliseconds. */
  | { readonly kind: 'pending'; readonly milliseconds: number }
  /** The network decided not to publish it. */
  | { readonly kind: 'refused'; readonly failure: FailureReport }
  | { readonly kind: 'unknown' };

export type Reconciliation =
  /** At least one, each of which this attempt and no rival may have made. */
  | { readonly kind: 'delivered'; readonly posts: readonly PublishedPost[] }
  | Exclude<NetworkSearch, { kind: 'found' }>;

/** The code of the failure, and the reason of the hold, when a file cannot be read at the moment. */
export const MEDIA_UNREADABLE = 'media_unreadable';

/** The code of the failure when a file no longer exists. */
export const MEDIA_MISSING = 'media_missing';

/** The code of the failure when the network could not fetch a file, whatever the cause. */
export const MEDIA_NOT_FETCHED = 'media_not_fetched';

/** The remedy: an interruption may have caused it, so the file is fetched again before the refusal is final. */
export const FETCH_AGAIN = { kind: 'wait', milliseconds: 5_000 } as const;
