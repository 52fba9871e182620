import type { Aggregate } from '#libs/event-store';
import { evolve } from './evolve.js';
import type { PostEvent } from './post.events.js';
import { noPost, type Post } from './post.js';

const eventTypes: Record<PostEvent['type'], true> = {
  PostDrafted: true,
  PostSuggested: true,
  PostEdited: true,
  PostReturnedForApproval: true,
  PostApprovalRenewed: true,
  PostScheduled: true,
  PostRescheduled: true,
  PostRevertedToDraft: true,
  PostApproved: true,
  PostRejected: true,
  PostRetried: true,
  PostLatenessChosen: true,
  PostDeleted: true,
  PublishAttemptStarted: true,
  PublishStepRecorded: true,
  PublishCheckScheduled: true,
  PostHeld: true,
  PostPublished: true,
  PostPublishFailed: true,
  DeliveryResolved: true,
};

export const postAggregate: Aggregate<Post, PostEvent> = {
  streamType: 'post',
  initial: noPost,
  evolve,
  eventTypes,
};
