import type { DeliveryFile } from '#libs/content';
import type { DeliveryContent } from '../../domain/delivery-outcome.js';
import type { LimitReading } from '../../domain/network-limits.js';
import type { NetworkResponse, Refusal } from '../../domain/provider-publishing.js';
import type { GraphError } from '../graph/graph-errors.js';

export type Fields = Readonly<Record<string, string>>;

/** What a network says of a container. `error`: its reason, null when it names none. `other`: a word that is not known here. */
export type ContainerState =
  | { readonly kind: 'in-progress' | 'finished' | 'published' | 'expired' | 'other' }
  | { readonly kind: 'error'; readonly reason: string | null };

/** A post as the lists of the account show it. */
export interface ShownPost {
  readonly id: string;
  readonly text: string;
  readonly permalink: string | null;
  /** Milliseconds since the epoch; null: not stated. */
  readonly publishedAt: number | null;
}

/** The limit that the quota call tells of. */
export const QUOTA = 'posts-per-day';

/** Which kind of call was refused: the irreversible one, or another one. */
export type CallKind = 'post' | 'step';

/**
 * A network of Meta that publishes containers: create one for each file of a carousel, create the container of the post, wait until it
 * is processed, publish it. A container lives for 24 hours and is published at most once.
 */
export interface ContainerNetwork {
  readonly displayName: string;
  readonly baseUrl: string;
  /** Below the account. */
  readonly paths: { readonly containers: string; readonly publish: string; readonly quota: string };
  readonly quotaFields: string;
  readonly statusFields: string;
  readonly postFields: string;
  /** Whether the network lets this service ask how many posts are left before it publishes such content. Pure. */
  hasQuota(content: DeliveryContent): boolean;
  /** The list of the account that shows such content. Pure. */
  listOf(content: DeliveryContent): string;
  textOf(content: DeliveryContent): string;
  /** The container of one file of a carousel. Pure. */
  itemFields(file: DeliveryFile): Fields;
  /** @param children containers of its files; empty unless it is a carousel. Pure. */
  containerFields(
    content: DeliveryContent,
    files: readonly DeliveryFile[],
    children: readonly string[],
  ): Fields;
  /** null: not readable. Pure. */
  stateIn(body: unknown): ContainerState | null;
  /** null: not readable. Pure. */
  postIn(item: unknown): ShownPost | null;
  refusalOf(error: GraphError, of: CallKind, content: DeliveryContent | null, waitMs: number | null): Refusal;
  failureOf(reason: string | null): Refusal;
  readingsIn(response: NetworkResponse): readonly LimitReading[];
  /** Shown until the network states the address of the post. Pure. */
  accountUrl(username: string): string;
}
