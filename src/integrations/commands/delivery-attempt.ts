import { type DeliveryFile, type FailureReport, inDoubt } from '#libs/content';
import type { DeliveryContent } from '../domain/delivery-outcome.js';
import type { CommitResponse, Prepared, CommitCall } from '../domain/provider-publishing.js';
import type { AttemptAtNetwork, Ended } from '../outages/network-watch.js';
import type { PostToPrepare } from '../preparations/prepare-post.js';
import type { PreparationKey } from '../preparations/preparations.store.js';
import type { Access } from '../tokens/access-tokens.js';
import type { PublishingProvider } from '../provider.types.js';

export interface DeliveryRequest extends PreparationKey, Pick<PostToPrepare, 'journal'> {
  readonly content: DeliveryContent;
  /** In the order of `content.mediaIds`. */
  readonly files: readonly DeliveryFile[];
  /** Checked right before the irreversible call; false: the sender's lease may expire during it, nothing is sent. */
  readonly maySend: () => boolean;
  readonly network: AttemptAtNetwork;
}

export type Usable = Access & { kind: 'usable' };
export type Next =
  | { readonly outcome: Ended }
  | { readonly access: Usable; readonly waitMs: number; readonly preparedAgain?: true };
export type SendResult =
  | CommitResponse
  | (Ended & { readonly kind: 'held' | 'failed' })
  | { readonly kind: 'no-answer'; readonly failure: FailureReport };

/** An attempt takes at most twice the parts of the largest upload. */
export const MAX_STEPS = 2_000;
export const NOTHING_PREPARED: Prepared = { ids: {}, addresses: {}, notes: {}, ageMs: 0 };

export interface AttemptProgress {
  readonly call: number;
  readonly renewed: boolean;
  readonly preparedAgain: boolean;
}

/** A provider that throws may have sent the request before. */
export async function committed(provider: PublishingProvider, call: CommitCall): Promise<CommitResponse> {
  try {
    return await provider.commit(call);
  } catch {
    return { kind: 'unconfirmed', failure: interrupted };
  }
}

export const interrupted = inDoubt('Publishing was interrupted. The post may be live.');
