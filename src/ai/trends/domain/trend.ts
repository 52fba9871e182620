import type { Instant } from '#libs/content';

export const SOURCE_KINDS = ['model', 'feed'] as const;
/** `model`: an AI model behind the provider gateway; `feed`: an RSS, Atom, RDF or JSON feed of the brand. */
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** The longest texts that are kept, in UTF-16 units. Longer ones are cut. */
export const MAX_TITLE = 200;
export const MAX_SUMMARY = 1_000;
export const MAX_SOURCE_NAME = 100;

export interface FoundTrend {
  readonly title: string;
  /** Empty: the source gave none. */
  readonly summary: string;
  /** http or https. */
  readonly link: string | null;
  /** null: the source gives none that is in the past. */
  readonly publishedAt: Instant | null;
  /** Equal for the same trend of the same source, at most 2 100 characters. */
  readonly identity: string;
}

/** A trend as it is stored. */
export interface Trend extends Omit<FoundTrend, 'identity'> {
  readonly id: string;
  readonly brandId: string;
  readonly kind: SourceKind;
  /** Of a model: its topic, null for the brand as a whole. */
  readonly topic: string | null;
  /** The name of the feed, or `provider/model`. */
  readonly sourceName: string;
  readonly firstSeenAt: Instant;
}

/** Newest first: by the date of publication, where the source gives none by the time at which it was found. */
export const newestFirst = (one: Trend, other: Trend): number =>
  Date.parse(timeOf(other)) - Date.parse(timeOf(one)) || (one.id < other.id ? -1 : 1);

const timeOf = ({ publishedAt, firstSeenAt }: Trend): Instant => publishedAt ?? firstSeenAt;
