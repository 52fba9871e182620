import type { FailureReport, Instant, Platform } from '#libs/content';
import type { IfLate } from './late-window.js';
import { PostNotFound } from './post.errors.js';
import type { Retrying } from './retrying.js';
import type { ApprovedVersion, Blocker, By, PostContent, ThreadPosition } from './post.events.js';

export interface NotRequired {
  readonly state: 'not_required';
}
export interface Pending {
  readonly state: 'pending';
  readonly suggestedBy: By;
}
interface ApprovalDecision {
  readonly decidedBy: By;
  readonly decidedAt: Instant;
  readonly reason: string | null;
}
/** `fingerprint`: of the approved content. */
export type Approved = {
  readonly state: 'approved';
  readonly fingerprint: string;
  /** Absent when a person's edit renewed the approval. */
  readonly bound?: ApprovedVersion;
} & ApprovalDecision;
export type Rejected = { readonly state: 'rejected' } & ApprovalDecision;
export type Approval = NotRequired | Pending | Approved | Rejected;
/** A post can only be scheduled if it needs no approval or has it. */
export type ApprovalSatisfied = NotRequired | Approved;

export interface Undecided {
  /** When the network first said so. */
  readonly since: Instant;
  /** When it is asked next. */
  readonly checkAt: Instant;
}

export interface OpenAttempt {
  readonly attemptId: string;
  readonly connectionId: string;
  readonly fingerprint: string;
  /** The attempt only looks for the post, which may be on the network since then; null: it sends the post. */
  readonly maybeLiveSince: Instant | null;
  readonly startedAt: Instant;
  /** The network has the post and decides later; null: it was not sent yet, or its answer is not known. */
  readonly undecided: Undecided | null;
  /** Ids that the network returned so far, by step: a takeover resumes with them. */
  readonly steps: Readonly<Record<string, string>>;
}

export type Failure = FailureReport & { readonly failedAt: Instant; readonly attemptId: string | null };

export interface Existing {
  readonly id: string;
  readonly brandId: string;
  readonly authorId: string;
  readonly platform: Platform;
  readonly content: PostContent;
  readonly blockers: readonly Blocker[];
  readonly thread: ThreadPosition | null;
  readonly origin: 'person' | 'suggestion';
  /** Service principals and API keys that wrote its content or proposed its time. None of them can approve it. */
  readonly suggesters: readonly By[];
  /** Absent: its author has not chosen. */
  readonly ifLate?: IfLate;
  /** Number of attempts started so far. */
  readonly attempts: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export type Draft = Existing & {
  readonly status: 'draft';
  readonly approval: Approval;
  /** The time that its author asks for. Approval schedules it for this time. */
  readonly proposedTime: Instant | null;
};
export type Scheduled = Existing & {
  readonly status: 'scheduled';
  readonly approval: ApprovalSatisfied;
  readonly scheduledAt: Instant;
  /** `attemptId` null: the account or the network is on hold, which can end before `until`. */
  readonly held: {
    readonly until: Instant;
    readonly reason: string;
    readonly attemptId: string | null;
  } | null;
  /** The late window counts from then if that is later than its time; null: no hold has moved it. */
  readonly lateFrom: Instant | null;
  readonly attempt: OpenAttempt | null;
  /** null: no attempt for this schedule failed for a passing cause, or the network has answered since. */
  readonly retrying: Retrying | null;
  /** Scheduled by a retry, so that a repeated retry changes nothing. */
  readonly isRetry: boolean;
};
export type Published = Existing & {
  readonly status: 'published';
  readonly approval: ApprovalSatisfied;
  readonly scheduledAt: Instant;
  readonly publishedAt: Instant;
  readonly platformPostId: string;
  readonly platformPostUrl: string | null;
};
export type Failed = Existing & {
  readonly status: 'failed';
  readonly approval: ApprovalSatisfied;
  readonly scheduledAt: Instant;
  readonly failure: Failure;
};
export interface Absent {
  readonly status: 'absent';
}
export interface Deleted {
  readonly status: 'deleted';
  readonly id: string;
  readonly brandId: string;
}

export type ExistingPost = Draft | Scheduled | Published | Failed;
export type Status = ExistingPost['status'];
export const STATUSES = ['draft', 'scheduled', 'published', 'failed'] as const satisfies readonly Status[];
export type Post = Absent | Deleted | ExistingPost;

export const noPost: Absent = { status: 'absent' };

export const exists = (post: Post): post is ExistingPost =>
  post.status !== 'absent' && post.status !== 'deleted';

/** @throws PostNotFound also for a deleted post */
export function mustExist(post: Post): ExistingPost {
  if (!exists(post)) throw new PostNotFound();
  return post;
}

/** The ids in the data of every event. */
export const eventIdsOf = (post: ExistingPost) => ({ postId: post.id, brandId: post.brandId });
