import type { Instant } from '#libs/content';
import type { Aggregate } from '#libs/event-store';
import type { By, PostEvent } from './post.events.js';
import {
  type Absent,
  type ApprovalSatisfied,
  type Approved,
  type Draft,
  type Existing,
  type ExistingPost,
  exists,
  type Failed,
  noPost,
  type Post,
  type Published,
  type Scheduled,
} from './post.js';
import { retryingAfter } from './retrying.js';
import { isAutomation } from './writing.js';

type Data<Type extends PostEvent['type']> = Extract<PostEvent, { type: Type }>['data'];

/** An event that cannot follow the events before it: the log is invalid, not the request. */
export class InvalidEventSequence extends Error {
  constructor(type: string, status: string) {
    super(`${type} cannot follow: the post is ${status}.`);
    this.name = 'InvalidEventSequence';
  }
}

/** Adds `by` if it is a service principal or an API key. */
const withSuggester = (suggesters: readonly By[], by: By): readonly By[] =>
  !isAutomation(by) || suggesters.some(({ id }) => id === by.id) ? suggesters : [...suggesters, by];

const initialFields = (data: Data<'PostDrafted'>, at: Instant): Omit<Existing, 'origin' | 'suggesters'> => ({
  id: data.postId,
  brandId: data.brandId,
  authorId: data.authorId,
  platform: data.platform,
  content: data.content,
  blockers: data.blockers,
  thread: data.thread,
  attempts: 0,
  createdAt: at,
  updatedAt: at,
});

/** The first event of a post. */
const first = (event: PostEvent, post: Absent, at: Instant): Draft => {
  if (event.type === 'PostDrafted')
    return {
      ...initialFields(event.data, at),
      origin: 'person',
      suggesters: [],
      status: 'draft',
      approval: { state: 'not_required' },
      proposedTime: null,
    };
  if (event.type !== 'PostSuggested') throw new InvalidEventSequence(event.type, post.status);
  const { by, proposedTime } = event.data;
  return {
    ...initialFields(event.data, at),
    origin: 'suggestion',
    suggesters: withSuggester([], by),
    status: 'draft',
    approval: { state: 'pending', suggestedBy: by },
    proposedTime,
  };
};

/** The fields that every status has, without those of the old status. */
const commonFields = (post: ExistingPost, at: Instant): Existing => ({
  id: post.id,
  brandId: post.brandId,
  authorId: post.authorId,
  platform: post.platform,
  content: post.content,
  blockers: post.blockers,
  thread: post.thread,
  origin: post.origin,
  suggesters: post.suggesters,
  ...(post.ifLate && { ifLate: post.ifLate }),
  attempts: post.attempts,
  createdAt: post.createdAt,
  updatedAt: at,
});

const isApprovalSatisfied = (post: ExistingPost): boolean =>
  post.approval.state === 'not_required' || post.approval.state === 'approved';

const satisfiedApprovalOf = (post: ExistingPost, type: string): ApprovalSatisfied => {
  if (!isApprovalSatisfied(post))
    throw new InvalidEventSequence(type, `${post.status} and ${post.approval.state}`);
  return post.approval as ApprovalSatisfied;
};

const approved = (
  { by, fingerprint, reason, bound }: Omit<Data<'PostApproved'>, 'postId' | 'brandId'>,
  at: Instant,
): Approved => ({
  state: 'approved',
  decidedBy: by,
  decidedAt: at,
  reason,
  fingerprint,
  ...(bound && { bound }),
});

const draft = (post: ExistingPost, at: Instant, then: Pick<Draft, 'approval' | 'proposedTime'>): Draft => ({
  ...commonFields(post, at),
  status: 'draft',
  ...then,
});

const scheduled = (
  post: ExistingPost,
  at: Instant,
  type: string,
  scheduledAt: Instant,
  isRetry = false,
): Scheduled => ({
  ...commonFields(post, at),
  status: 'scheduled',
  approval: satisfiedApprovalOf(post, type),
  scheduledAt,
  held: null,
  lateFrom: null,
  attempt: null,
  retrying: null,
  isRetry,
});

const mustBeScheduled = (post: ExistingPost, type: string): Scheduled => {
  if (post.status !== 'scheduled') throw new InvalidEventSequence(type, post.status);
  return post;
};

/** A hold applies to the old target only. */
const withoutHold = (post: ExistingPost): ExistingPost =>
  post.status === 'scheduled' ? { ...post, held: null } : post;

/** An outcome ends only its own attempt. Without an attempt id it ends the open one. */
const isOtherAttempt = ({ attempt }: Scheduled, attemptId: string | null): boolean =>
  attempt !== null && attemptId !== null && attempt.attemptId !== attemptId;

const published = (
  post: Scheduled | Failed,
  at: Instant,
  live: Pick<Published, 'publishedAt' | 'platformPostId' | 'platformPostUrl'>,
): Published => ({
  ...commonFields(post, at),
  status: 'published',
  approval: post.approval,
  scheduledAt: post.scheduledAt,
  publishedAt: live.publishedAt,
  platformPostId: live.platformPostId,
  platformPostUrl: live.platformPostUrl,
});

const failed = (post: Scheduled | Failed, at: Instant, failure: Failed['failure']): Failed => ({
  ...commonFields(post, at),
  status: 'failed',
  approval: post.approval,
  scheduledAt: post.scheduledAt,
  failure,
});

const editorialSteps = {
  PostEdited: (post, data, at) => ({
    ...(data.changed.includes('target') ? withoutHold(post) : post),
    content: data.content,
    blockers: data.blockers,
    suggesters: withSuggester(post.suggesters, data.by),
    updatedAt: at,
  }),
  PostReturnedForApproval: (post, data, at) => ({
    ...draft(post, at, {
      approval: { state: 'pending', suggestedBy: data.by },
      proposedTime: data.proposedTime,
    }),
    origin: 'suggestion',
    suggesters: withSuggester(post.suggesters, data.by),
  }),
  PostApprovalRenewed: (post, { by, fingerprint }, at) => ({
    ...post,
    approval: approved({ by, fingerprint, reason: null }, at),
    updatedAt: at,
  }),
  PostApproved: (post, data, at) => draft(post, at, { approval: approved(data, at), proposedTime: null }),
  PostRejected: (post, data, at) =>
    draft(post, at, {
      approval: { state: 'rejected', decidedBy: data.by, decidedAt: at, reason: data.reason },
      proposedTime: post.status === 'draft' ? post.proposedTime : null,
    }),
  PostRevertedToDraft: (post, _data, at) => draft(post, at, { approval: post.approval, proposedTime: null }),
  PostScheduled: (post, data, at) => scheduled(post, at, 'PostScheduled', data.scheduledAt),
  PostRescheduled: (post, data, at) => scheduled(post, at, 'PostRescheduled', data.scheduledAt),
  PostRetried: (post, data, at) => scheduled(post, at, 'PostRetried', data.scheduledAt, true),
  PostLatenessChosen: ({ ifLate: _, ...post }, { ifLate }, at) => ({
    ...(post as ExistingPost),
    ...(ifLate && { ifLate }),
    updatedAt: at,
  }),
  PostDeleted: (post) => ({ status: 'deleted', id: post.id, brandId: post.brandId }),
} satisfies Partial<Steps>;

const deliverySteps = {
  PublishAttemptStarted: (post, { attemptId, connectionId, fingerprint, maybeLiveSince = null }, at) => ({
    ...mustBeScheduled(post, 'PublishAttemptStarted'),
    attempts: post.attempts + 1,
    held: null,
    attempt: {
      attemptId,
      connectionId,
      fingerprint,
      maybeLiveSince,
      startedAt: at,
      undecided: null,
      steps: {},
    },
    updatedAt: at,
  }),
  PublishStepRecorded: (post, { step, networkId }, at) => {
    const { attempt, ...rest } = mustBeScheduled(post, 'PublishStepRecorded');
    if (!attempt) throw new InvalidEventSequence('PublishStepRecorded', 'not being sent');
    return {
      ...rest,
      attempt: { ...attempt, steps: { ...attempt.steps, [step]: networkId } },
      updatedAt: at,
    };
  },
  PublishCheckScheduled: (post, { attemptId, checkAt }, at) => {
    const waiting = mustBeScheduled(post, 'PublishCheckScheduled');
    const { attempt } = waiting;
    if (!attempt || isOtherAttempt(waiting, attemptId)) return waiting;
    const undecided = { since: attempt.undecided?.since ?? at, checkAt };
    return { ...waiting, attempt: { ...attempt, undecided }, updatedAt: at };
  },
  PostHeld: (post, data, at) => {
    const waiting = mustBeScheduled(post, 'PostHeld');
    if (isOtherAttempt(waiting, data.attemptId)) return waiting;
    const { until, reason, endsEarly, lateFrom = waiting.lateFrom } = data;
    const held = { until, reason, attemptId: endsEarly ? null : data.attemptId };
    const retrying = retryingAfter(waiting.retrying, data, at);
    return { ...waiting, held, lateFrom, retrying, attempt: null, updatedAt: at };
  },
  PostPublished: (post, data, at) =>
    published(mustBeScheduled(post, 'PostPublished'), at, { ...data, publishedAt: at }),
  PostPublishFailed: (post, { attemptId, failure }, at) => {
    const waiting = mustBeScheduled(post, 'PostPublishFailed');
    if (isOtherAttempt(waiting, attemptId)) return waiting;
    return failed(waiting, at, { ...failure, attemptId, failedAt: at });
  },
  DeliveryResolved: (post, data, at) => {
    if (post.status !== 'failed') throw new InvalidEventSequence('DeliveryResolved', post.status);
    if (data.delivered) return published(post, at, data);
    return failed(post, at, { ...post.failure, ...data.failure });
  },
} satisfies Partial<Steps>;

type Steps = {
  [Type in Exclude<PostEvent['type'], 'PostDrafted' | 'PostSuggested'>]: (
    post: ExistingPost,
    data: Data<Type>,
    at: Instant,
  ) => Post;
};

const steps: Steps = { ...editorialSteps, ...deliverySteps };

/** Applies one event. Depends on its arguments only, so that a replay gives the same post. */
export function evolve(post: Post, event: PostEvent, at: Instant): Post {
  if (post.status === 'absent') return first(event, post, at);
  if (!exists(post) || event.type === 'PostDrafted' || event.type === 'PostSuggested')
    throw new InvalidEventSequence(event.type, post.status);
  const step = steps[event.type] as (post: ExistingPost, data: PostEvent['data'], at: Instant) => Post;
  return step(post, event.data, at);
}

export const postAggregate: Aggregate<Post, PostEvent> = {
  streamType: 'post',
  initial: noPost,
  evolve,
  eventTypes: { PostDrafted: first, PostSuggested: first, ...steps } satisfies Record<
    PostEvent['type'],
    unknown
  >,
};
