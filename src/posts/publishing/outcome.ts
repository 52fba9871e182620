import type { FailureReport, Instant } from '#libs/content';

/** How an attempt ended, as it is recorded. */
export type Outcome =
  | {
      readonly kind: 'published';
      readonly platformPostId: string;
      readonly platformPostUrl: string;
      /** By a search: the network did not answer the attempt itself. */
      readonly isFound?: true;
    }
  | { readonly kind: 'failed'; readonly failure: FailureReport }
  | { readonly kind: 'held'; readonly until: Instant; readonly reason: string };
