import type { Instant, Platform, PostOptions, Target } from '#libs/content';
import { allowedActions, isBeingSent, type PostAction } from '../domain/guards.js';
import type { IfLate } from '../domain/late-window.js';
import type { ApprovedVersion, Blocker, By, PostContent } from '../domain/post.events.js';
import type { Approval, Failure, ExistingPost } from '../domain/post.js';
import type { Retrying } from '../domain/retrying.js';

/** The approval as queries return it: all fields in every state. */
export interface ApprovalDetails {
  readonly state: Approval['state'];
  readonly decidedBy: By | null;
  readonly decidedAt: Instant | null;
  readonly reason: string | null;
  readonly fingerprint: string | null;
  /** Absent in approvals that did not record it. */
  readonly bound?: ApprovedVersion;
}

/** A post as queries return it, derived from its events only. */
export interface PostDetails {
  readonly id: string;
  readonly brandId: string;
  readonly authorId: string;
  readonly platform: Platform;
  readonly target: Target;
  readonly text: string;
  readonly title: string | null;
  readonly mediaIds: readonly string[];
  readonly link: string | null;
  /** Absent without options. */
  readonly options?: PostOptions;
  readonly status: ExistingPost['status'];
  readonly scheduledAt: Instant | null;
  readonly proposedTime: Instant | null;
  /** Absent: its author has not chosen. */
  readonly ifLate?: IfLate;
  readonly heldUntil: Instant | null;
  /** Stable, snake_case; null without a hold. */
  readonly holdReason: string | null;
  /** What is tried again. */
  readonly retrying: Retrying | null;
  readonly isBeingSent: boolean;
  readonly threadId: string | null;
  readonly threadPosition: number | null;
  readonly origin: 'person' | 'suggestion';
  readonly approval: ApprovalDetails;
  readonly publishedAt: Instant | null;
  readonly platformPostId: string | null;
  readonly platformPostUrl: string | null;
  readonly failure: Failure | null;
  readonly attempts: number;
  readonly blockers: readonly Blocker[];
  readonly allowedActions: readonly PostAction[];
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly version: number;
}

export function detailsOf(post: ExistingPost, version: number): PostDetails {
  const { text, title, mediaIds, link, target, options } = post.content;
  return {
    id: post.id,
    brandId: post.brandId,
    authorId: post.authorId,
    platform: post.platform,
    target,
    text,
    title,
    mediaIds,
    link,
    ...(options && { options }),
    status: post.status,
    scheduledAt: post.status === 'draft' ? null : post.scheduledAt,
    proposedTime: post.status === 'draft' ? post.proposedTime : null,
    ...(post.ifLate && { ifLate: post.ifLate }),
    ...holdOf(post),
    retrying: post.status === 'scheduled' ? post.retrying : null,
    isBeingSent: isBeingSent(post),
    threadId: post.thread?.id ?? null,
    threadPosition: post.thread?.position ?? null,
    origin: post.origin,
    approval: approvalDetailsOf(post.approval),
    publishedAt: post.status === 'published' ? post.publishedAt : null,
    platformPostId: post.status === 'published' ? post.platformPostId : null,
    platformPostUrl: post.status === 'published' ? post.platformPostUrl : null,
    failure: post.status === 'failed' ? post.failure : null,
    attempts: post.attempts,
    blockers: post.blockers,
    allowedActions: allowedActions(post),
    createdAt: post.createdAt,
    updatedAt: post.updatedAt,
    version,
  };
}

/** Reason of a wait for the decision of a network. */
const NETWORK_DECISION = 'network_decision';

function holdOf(post: ExistingPost): Pick<PostDetails, 'heldUntil' | 'holdReason'> {
  const undecided = post.status === 'scheduled' ? post.attempt?.undecided : null;
  if (undecided) return { heldUntil: undecided.checkAt, holdReason: NETWORK_DECISION };
  const held = post.status === 'scheduled' ? post.held : null;
  return { heldUntil: held?.until ?? null, holdReason: held?.reason ?? null };
}

function approvalDetailsOf(approval: Approval): ApprovalDetails {
  const decided = approval.state === 'approved' || approval.state === 'rejected';
  return {
    state: approval.state,
    decidedBy: decided ? approval.decidedBy : null,
    decidedAt: decided ? approval.decidedAt : null,
    reason: decided ? approval.reason : null,
    fingerprint: approval.state === 'approved' ? approval.fingerprint : null,
    ...(approval.state === 'approved' && approval.bound ? { bound: approval.bound } : {}),
  };
}

export const contentOf = (post: PostDetails): PostContent => ({
  text: post.text,
  title: post.title,
  mediaIds: post.mediaIds,
  link: post.link,
  target: post.target,
  ...(post.options && { options: post.options }),
});
