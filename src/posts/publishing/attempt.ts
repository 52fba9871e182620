import type { DeliveryFile, FailureReport, Instant, Platform } from '#libs/content';
import type { Lease } from '#libs/due-work';
import type { Changed } from '#libs/event-store';
import type { AttemptAtNetwork, DeliveryContent } from '../../integrations/index.js';
import { fingerprintOf } from '../content/content-fingerprint.js';
import type { Post, Scheduled } from '../domain/post.js';

/** What of a scheduled post reaches the network. */
export interface SentContent {
  readonly content: Scheduled['content'];
  /** The network's id of the previous part of the thread; null for a post of its own. */
  readonly replyTo: string | null;
}

/** What the worker that has claimed an attempt does with it. */
export type Task =
  /** `lateAt`: the end of its late window. */
  | { readonly kind: 'send'; readonly lateAt: Instant }
  /** The database may have lost an attempt that sent it: it is looked for on the network, never sent. */
  | { readonly kind: 'find'; readonly since: Instant }
  /** Another worker began to send it and is gone: it is put back when it certainly was not sent, else looked for. */
  | { readonly kind: 'take-over'; readonly since: Instant }
  /**
   * The network has it and decides later: it is asked at `at`. `mayBeOther`: the attempt only looked for a post that the database may
   * have lost, so that another upload than the known one may have published it.
   */
  | { readonly kind: 'check'; readonly since: Instant; readonly at: Instant; readonly mayBeOther: boolean };

/** An open attempt that one worker may settle, once. */
export interface Claimed extends SentContent {
  readonly postId: string;
  readonly platform: Platform;
  readonly attemptId: string;
  readonly connectionId: string;
  /** Of the account, for this attempt alone. */
  readonly lease: Lease;
  readonly organizationId: string;
  /** In the order of `content.mediaIds`, for a post that is sent; else empty. */
  readonly files: readonly DeliveryFile[];
  readonly task: Task;
  readonly network: AttemptAtNetwork;
  /** The post right after the claim: the outcome is decided on it. */
  readonly changed: Changed<Post>;
}

/** The end of an attempt, as it is recorded. */
export type Outcome =
  | {
      readonly kind: 'published';
      readonly platformPostId: string;
      readonly platformPostUrl: string;
      /** By a search: the network did not answer the attempt itself. */
      readonly isFound?: true;
    }
  | { readonly kind: 'failed'; readonly failure: FailureReport }
  /** The attempt stays open: the network decides later. */
  | {
      readonly kind: 'undecided';
      /** Until it can be asked. */
      readonly milliseconds: number;
      readonly ids: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'held';
      readonly until: Instant;
      readonly reason: string;
      /** What is tried again within a budget. */
      readonly failure?: FailureReport;
      readonly endsEarly?: true;
      readonly lateFrom?: Instant;
    };

/** Fingerprint of everything that a preparation depends on. */
export const preparedFor = ({ content, replyTo }: SentContent): string =>
  `${fingerprintOf(content)}/${replyTo ?? ''}`;

export function deliveryOf({ postId, connectionId, ...sent }: Claimed) {
  return { postId, connectionId, fingerprint: preparedFor(sent), content: contentOf(sent) };
}

function contentOf({ content, replyTo }: SentContent): DeliveryContent {
  const { text, title, link, mediaIds, target, options = {} } = content;
  return { text, title, link, mediaIds, target, options, replyTo };
}
