import type { FailureReport, Instant, MediaKind, Platform, PostOptions, Target } from '#libs/content';
import type { IfLate } from './late-window.js';

/** The actor: an id only, because personal data stays out of the log. */
export interface By {
  readonly type: 'user' | 'service' | 'api_key' | 'system';
  /** The successors of an API key by rotation have the same id. */
  readonly id: string;
}

/** What is sent. An approval and a publish attempt carry a fingerprint of exactly these fields. */
export interface PostContent {
  readonly text: string;
  readonly title: string | null;
  readonly mediaIds: readonly string[];
  readonly link: string | null;
  readonly target: Target;
  /** Absent when nothing is chosen. */
  readonly options?: PostOptions;
}

export interface ThreadPosition {
  readonly id: string;
  /** Counted from 1; the first part has no predecessor. */
  readonly position: number;
}

/** A network rule of severity error that the content violates, found when the content was written. */
export interface Blocker {
  readonly ruleId: string;
  readonly message: string;
  /** JSON pointer into the post, such as `#/text`. */
  readonly pointer: string;
}

/** Number of files of each kind in a content; kinds without files are absent. */
export type MediaCounts = { readonly [Kind in MediaKind]?: number };

interface Happened<Type extends string, Data> {
  readonly type: Type;
  readonly data: { readonly postId: string; readonly brandId: string } & Data;
}

interface Written {
  readonly authorId: string;
  readonly platform: Platform;
  readonly content: PostContent;
  readonly thread: ThreadPosition | null;
  readonly blockers: readonly Blocker[];
  /** Absent without files. */
  readonly media?: MediaCounts;
}

export type PostDrafted = Happened<'PostDrafted', Written>;
export type PostSuggested = Happened<
  'PostSuggested',
  Written & { readonly by: By; readonly proposedTime: Instant | null }
>;
export type PostEdited = Happened<
  'PostEdited',
  {
    readonly content: PostContent;
    readonly changed: readonly (keyof PostContent)[];
    readonly blockers: readonly Blocker[];
    /** Of the new content; absent without files. */
    readonly media?: MediaCounts;
    readonly by: By;
  }
>;
/** The content needs approval again: an automation wrote it, or it was rejected before. */
export type PostReturnedForApproval = Happened<
  'PostReturnedForApproval',
  { readonly by: By; readonly proposedTime: Instant | null }
>;
/** A person edited approved content: the approval now names that person and covers the new content. */
export type PostApprovalRenewed = Happened<
  'PostApprovalRenewed',
  { readonly by: By; readonly fingerprint: string }
>;
export type PostScheduled = Happened<'PostScheduled', { readonly scheduledAt: Instant; readonly by: By }>;
export type PostRescheduled = Happened<
  'PostRescheduled',
  { readonly scheduledAt: Instant; readonly previous: Instant | null; readonly by: By }
>;
/** Removes the scheduled or proposed time; the approval stays. */
export type PostRevertedToDraft = Happened<'PostRevertedToDraft', { readonly by: By }>;
/** The version of the post that an approval covers, and whether the caller named it by `If-Match` or the stored one was used. */
export interface ApprovedVersion {
  readonly version: number;
  readonly basis: 'if_match' | 'stored';
}
export type PostApproved = Happened<
  'PostApproved',
  {
    readonly by: By;
    readonly reason: string | null;
    readonly fingerprint: string;
    readonly bound?: ApprovedVersion;
  }
>;
export type PostRejected = Happened<'PostRejected', { readonly by: By; readonly reason: string | null }>;
export type PostRetried = Happened<
  'PostRetried',
  { readonly scheduledAt: Instant; readonly by: By; readonly reason: string | null }
>;
/** What becomes of the post when it cannot be sent in its late window; null: the usual. */
export type PostLatenessChosen = Happened<
  'PostLatenessChosen',
  { readonly ifLate: IfLate | null; readonly by: By }
>;
export type PostDeleted = Happened<'PostDeleted', { readonly by: By; readonly status: string }>;

export type PublishAttemptStarted = Happened<
  'PublishAttemptStarted',
  {
    readonly attemptId: string;
    readonly connectionId: string;
    readonly fingerprint: string;
    /** The attempt only looks for the post, which may be on the network since then. Absent: it sends the post. */
    readonly maybeLiveSince?: Instant;
  }
>;
export type PublishStepRecorded = Happened<
  'PublishStepRecorded',
  { readonly attemptId: string; readonly step: string; readonly networkId: string }
>;
/**
 * The network has the whole post and decides later whether it publishes it: it is asked again at `checkAt`. The attempt stays open.
 * Once for each answer that it has not decided, or each time that it could not be asked.
 */
export type PublishCheckScheduled = Happened<
  'PublishCheckScheduled',
  { readonly attemptId: string; readonly checkAt: Instant }
>;
/** Postponed without effect on the network; ends the open attempt if there is one. */
export type PostHeld = Happened<
  'PostHeld',
  {
    readonly attemptId: string | null;
    readonly until: Instant;
    readonly reason: string;
    /** What had no effect and is tried again within a budget; absent in other holds. */
    readonly failure?: FailureReport;
    /** It may end before `until` although an attempt recorded it. */
    readonly endsEarly?: true;
    /** The late window counts from then. Absent: unchanged. */
    readonly lateFrom?: Instant;
  }
>;
export type PostPublished = Happened<
  'PostPublished',
  { readonly attemptId: string; readonly platformPostId: string; readonly platformPostUrl: string | null }
>;
export type PostPublishFailed = Happened<
  'PostPublishFailed',
  { readonly attemptId: string | null; readonly failure: FailureReport }
>;
/** A person or a reconciliation determined the result of an unconfirmed delivery. */
export type DeliveryResolved = Happened<
  'DeliveryResolved',
  | {
      readonly delivered: true;
      readonly platformPostId: string;
      readonly platformPostUrl: string | null;
      readonly publishedAt: Instant;
      readonly by: By;
    }
  | { readonly delivered: false; readonly failure: FailureReport; readonly by: By }
>;

export type PostEvent =
  | PostDrafted
  | PostSuggested
  | PostEdited
  | PostReturnedForApproval
  | PostApprovalRenewed
  | PostScheduled
  | PostRescheduled
  | PostRevertedToDraft
  | PostApproved
  | PostRejected
  | PostRetried
  | PostLatenessChosen
  | PostDeleted
  | PublishAttemptStarted
  | PublishStepRecorded
  | PublishCheckScheduled
  | PostHeld
  | PostPublished
  | PostPublishFailed
  | DeliveryResolved;
