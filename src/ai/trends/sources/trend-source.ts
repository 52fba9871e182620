import type { Instant } from '#libs/content';
import type { FoundTrend, SourceKind } from '../domain/trend.js';

/** One source of a brand: a topic for the model, or the address of a feed. It is cached, asked and limited on its own. */
export interface SourceId {
  readonly brandId: string;
  readonly kind: SourceKind;
  /** Of a model: the topic, '' for the brand as a whole. Of a feed: its address. */
  readonly key: string;
}

export interface Asker {
  readonly organizationId: string;
  readonly userId?: string;
  readonly brandName: string;
}

/** The same until an outcome is certain, also when another process repeats it. */
export interface SourceRequest extends Asker {
  readonly source: SourceId;
  readonly askedAt: Instant;
  /** A source that bills gives the same result for it without billing again. */
  readonly idempotencyKey: string;
}

export type SourceResult =
  | {
      readonly kind: 'found';
      /** Of the feed, or `provider/model`. */
      readonly name: string;
      readonly trends: readonly FoundTrend[];
      readonly dropped: number;
    }
  | SourceFailure;

export interface SourceFailure {
  readonly kind: 'failed';
  /** Stable machine name, snake_case. */
  readonly code: string;
  /** By its rate or by a budget. */
  readonly isLimited: boolean;
  /** null: the source gives none. */
  readonly retryAfterMs: number | null;
  /** The source may have done and billed the work: the next attempt repeats the same request. */
  readonly isInDoubt: boolean;
}

/** Where trends come from. Implementations are bounded in time and size and never reject (docs/design/trends.md). */
export interface TrendSource {
  fetch(request: SourceRequest): Promise<SourceResult>;
}

export const failed = (code: string, retryAfterMs: number | null = null): SourceFailure => ({
  kind: 'failed',
  code,
  isLimited: false,
  retryAfterMs,
  isInDoubt: false,
});

export const inDoubt = (code: string): SourceFailure => ({ ...failed(code), isInDoubt: true });
