import type { FailureReport, Instant, Platform } from '#libs/content';
import type { By, Blocker, PostContent, PostEvent } from '../../src/posts/domain/post.events.js';
import { fingerprintOf } from '../../src/posts/content/content-fingerprint.js';

/** Histories of a post, as events; each can be continued. All instants are around NOW. */
export const NOW: Instant = '2026-01-15T12:00:00.000Z';
export const BEFORE: Instant = '2026-01-15T11:00:00.000Z';
export const LATER: Instant = '2026-01-16T09:00:00.000Z';
export const MUCH_LATER: Instant = '2026-02-01T09:00:00.000Z';

export const postId = '01936d2e-7c1a-7b3e-9f52-0000000000aa';
export const brandId = '01936d2e-7c1a-7b3e-9f52-0000000000bb';
export const attemptId = '01936d2e-7c1a-7b3e-9f52-0000000000cc';
export const connectionId = '01936d2e-7c1a-7b3e-9f52-0000000000dd';

export const ada: By = { type: 'user', id: '01936d2e-7c1a-7b3e-9f52-000000000001' };
export const bob: By = { type: 'user', id: '01936d2e-7c1a-7b3e-9f52-000000000002' };
export const suggester: By = { type: 'service', id: '01936d2e-7c1a-7b3e-9f52-000000000003' };
export const robot: By = { type: 'api_key', id: '01936d2e-7c1a-7b3e-9f52-000000000004' };

export const aContent = (overrides: Partial<PostContent> = {}): PostContent => ({
  text: 'Our new roast is here.',
  title: null,
  mediaIds: [],
  link: null,
  target: {},
  ...overrides,
});

export const tooLong: Blocker = { ruleId: 'x.text.too-long', message: 'Too long.', pointer: '#/text' };

const written = (
  overrides: { content?: PostContent; blockers?: Blocker[]; thread?: { id: string; position: number } } = {},
) => ({
  postId,
  brandId,
  platform: 'x' as Platform,
  content: aContent(),
  thread: null,
  blockers: [],
  ...overrides,
});

type Writing = Parameters<typeof written>[0];

export const aDraft = (overrides?: Writing): PostEvent[] => [
  { type: 'PostDrafted', data: { ...written(overrides), authorId: ada.id } },
];

export const aSuggestion = (proposedTime: Instant | null = LATER, overrides?: Writing): PostEvent[] => [
  {
    type: 'PostSuggested',
    data: { ...written(overrides), authorId: suggester.id, by: suggester, proposedTime },
  },
];

export const anApprovedSuggestion = (): PostEvent[] => [
  ...aSuggestion(null),
  {
    type: 'PostApproved',
    data: { postId, brandId, by: bob, reason: null, fingerprint: fingerprintOf(aContent()) },
  },
];

export const aRejectedSuggestion = (): PostEvent[] => [
  ...aSuggestion(),
  { type: 'PostRejected', data: { postId, brandId, by: bob, reason: 'Off key.' } },
];

export const aScheduledPost = (scheduledAt: Instant = LATER): PostEvent[] => [
  ...aDraft(),
  { type: 'PostScheduled', data: { postId, brandId, scheduledAt, by: ada } },
];

export const aScheduledSuggestion = (scheduledAt: Instant = LATER): PostEvent[] => [
  ...anApprovedSuggestion(),
  { type: 'PostScheduled', data: { postId, brandId, scheduledAt, by: bob } },
];

export const aPostBeingSent = (scheduledAt: Instant = BEFORE): PostEvent[] => [
  ...aScheduledPost(scheduledAt),
  {
    type: 'PublishAttemptStarted',
    data: { postId, brandId, attemptId, connectionId, fingerprint: fingerprintOf(aContent()) },
  },
];

export const aPublishedPost = (): PostEvent[] => [
  ...aPostBeingSent(),
  { type: 'PostPublished', data: { postId, brandId, attemptId, platformPostId: '1', platformPostUrl: null } },
];

export const aFailure = (overrides: Partial<FailureReport> = {}): FailureReport => ({
  code: 'network_refused',
  class: 'permanent',
  networkCode: '403',
  message: 'The network refused it.',
  nextStep: 'Edit it, then retry.',
  ...overrides,
});

export const aFailedPost = (failure: Partial<FailureReport> = {}): PostEvent[] => [
  ...aPostBeingSent(),
  { type: 'PostPublishFailed', data: { postId, brandId, attemptId, failure: aFailure(failure) } },
];

export const anUnconfirmedPost = (): PostEvent[] =>
  aFailedPost({ class: 'unconfirmed', code: 'outcome_unknown' });

export const aDeletedPost = (): PostEvent[] => [
  ...aDraft(),
  { type: 'PostDeleted', data: { postId, brandId, by: ada, status: 'draft' } },
];
