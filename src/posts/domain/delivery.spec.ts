import { given } from '#libs/event-store/testing';
import * as past from '../../../test/support/post-histories.js';
import {
  aContent,
  ada,
  aFailure,
  attemptId,
  BEFORE,
  brandId,
  connectionId,
  LATER,
  NOW,
  postId,
} from '../../../test/support/post-histories.js';
import { postAggregate } from './evolve.js';
import { hold, recordFailed, recordPublished, recordStep, resolve, startAttempt } from './delivery.js';
import {
  AttemptIsNotOpen,
  DeliveryIsNotUnconfirmed,
  PostIsNotDue,
  PostIsNotScheduled,
  PublishingInProgress,
} from './delivery.errors.js';
import { ApprovalIsForOtherContent, PostNotFound } from './post.errors.js';
import type { PostEvent } from './post.events.js';
import { fingerprintOf } from '../content/content-fingerprint.js';

const after = (events: PostEvent[]) => given(postAggregate, ...events);
const of = { postId, brandId };
const fingerprint = fingerprintOf(aContent());
const start = startAttempt({ attemptId, connectionId, fingerprint }, NOW);
const held = (until: string): PostEvent => ({
  type: 'PostHeld',
  data: { ...of, attemptId: null, until, reason: 'rate_limited' },
});

describe('an attempt', () => {
  it('begins when the post is due', () => {
    const decision = after(past.aScheduledPost(BEFORE)).when(start);
    decision.then({ type: 'PublishAttemptStarted', data: { ...of, attemptId, connectionId, fingerprint } });
    decision.thenState({ attempts: 1 });
  });

  it('begins at the very instant it is due, not a millisecond before', () => {
    after(past.aScheduledPost(NOW)).when(start).thenState({ attempts: 1 });
    after(past.aScheduledPost('2026-01-15T12:00:00.001Z')).when(start).thenThrows(PostIsNotDue);
  });

  it('waits until a hold is over', () => {
    after([...past.aScheduledPost(BEFORE), held(LATER)])
      .when(start)
      .thenThrows(PostIsNotDue);
    after([...past.aScheduledPost(BEFORE), held(NOW)])
      .when(start)
      .thenState({ held: null });
  });

  it('is one at a time', () => after(past.aPostBeingSent()).when(start).thenThrows(PublishingInProgress));

  it('is only for what is scheduled', () => {
    for (const history of [past.aDraft(), past.aSuggestion(), past.aFailedPost(), past.aPublishedPost()])
      after(history).when(start).thenThrows(PostIsNotScheduled);
    after(past.aDeletedPost()).when(start).thenThrows(PostNotFound);
  });

  it('sends only the content that was approved', () => {
    const other = startAttempt({ attemptId, connectionId, fingerprint: 'other' }, NOW);
    after(past.aScheduledSuggestion(BEFORE)).when(other).thenThrows(ApprovalIsForOtherContent);
    after(past.aScheduledSuggestion(BEFORE)).when(start).thenState({ attempts: 1 });
  });

  it('keeps the ids of the network for a takeover', () => {
    const first: PostEvent = {
      type: 'PublishStepRecorded',
      data: { ...of, attemptId, step: 'container', networkId: '17' },
    };
    after(past.aPostBeingSent())
      .when(recordStep({ attemptId, step: 'container', networkId: '17' }))
      .then(first);
    const { attempt } = given(postAggregate, ...past.aPostBeingSent(), first).state as {
      attempt: { steps: object };
    };
    expect(attempt.steps).toEqual({ container: '17' });
  });
});

describe('the outcome of an attempt', () => {
  it('is published', () => {
    const decision = after(past.aPostBeingSent()).when(
      recordPublished({ attemptId, platformPostId: '99', platformPostUrl: 'https://x.example/99' }),
    );
    decision.thenState({ status: 'published', platformPostId: '99', scheduledAt: BEFORE } as never);
  });

  it('is failed, with everything that is known about it', () => {
    after(past.aPostBeingSent())
      .when(recordFailed({ attemptId, failure: aFailure() }))
      .thenState({
        status: 'failed',
        failure: { ...aFailure(), attemptId, failedAt: '2026-01-15T10:00:00.000Z' },
      } as never);
  });

  it('is a hold: scheduled still, due later, nothing open', () => {
    after(past.aPostBeingSent())
      .when(hold({ attemptId, until: LATER, reason: 'rate_limited' }))
      .thenState({
        status: 'scheduled',
        attempt: null,
        held: { until: LATER, reason: 'rate_limited', attemptId },
      } as never);
  });

  it('ends no other attempt than its own', () => {
    const other = '01936d2e-7c1a-7b3e-9f52-0000000000ff';
    const ended = (event: PostEvent) =>
      [...past.aPostBeingSent(), event].reduce(
        (post, each) => postAggregate.evolve(post, each, NOW),
        postAggregate.initial,
      );
    const held = { ...of, until: LATER, reason: 'r' };
    for (const event of [
      { type: 'PostHeld', data: { ...held, attemptId: other } },
      { type: 'PostPublishFailed', data: { ...of, attemptId: other, failure: aFailure() } },
    ] as PostEvent[])
      expect(ended(event)).toMatchObject({ status: 'scheduled', held: null, attempt: { attemptId } });
    for (const own of [attemptId, null])
      expect(ended({ type: 'PostHeld', data: { ...held, attemptId: own } })).toMatchObject({
        attempt: null,
        held: { until: LATER },
      });
  });

  it('counts for the open attempt only', () => {
    const other = '01936d2e-7c1a-7b3e-9f52-0000000000ff';
    for (const decision of [
      recordPublished({ attemptId: other, platformPostId: '1', platformPostUrl: null }),
      recordFailed({ attemptId: other, failure: aFailure() }),
      recordFailed({ attemptId: null, failure: aFailure() }),
      recordStep({ attemptId: other, step: 's', networkId: '1' }),
      hold({ attemptId: other, until: LATER, reason: 'r' }),
      hold({ attemptId: null, until: LATER, reason: 'r' }),
    ])
      after(past.aPostBeingSent()).when(decision).thenThrows(AttemptIsNotOpen);
    after(past.aScheduledPost())
      .when(recordPublished({ attemptId, platformPostId: '1', platformPostUrl: null }))
      .thenThrows(AttemptIsNotOpen);
  });

  it('comes once', () => {
    after(past.aPublishedPost())
      .when(recordPublished({ attemptId, platformPostId: '1', platformPostUrl: null }))
      .thenThrows(PostIsNotScheduled);
  });

  it('may come before an attempt: missed, or no account to send with', () => {
    for (const kind of ['missed', 'configuration'] as const)
      after(past.aScheduledPost(BEFORE))
        .when(recordFailed({ attemptId: null, failure: aFailure({ class: kind }) }))
        .thenState({ status: 'failed', attempts: 0 } as never);
  });

  it('is never in doubt without an attempt', () => {
    after(past.aScheduledPost(BEFORE))
      .when(recordFailed({ attemptId: null, failure: aFailure({ class: 'unconfirmed' }) }))
      .thenThrows(AttemptIsNotOpen);
  });
});

describe('resolving a delivery in doubt', () => {
  const delivered = { delivered: true, platformPostId: '99', platformPostUrl: null } as const;

  it('as delivered makes it published, at the time it was sent', () => {
    const decision = after(past.anUnconfirmedPost()).when(resolve(delivered, ada));
    decision.then({
      type: 'DeliveryResolved',
      data: { ...of, ...delivered, publishedAt: '2026-01-15T10:00:00.000Z', by: ada },
    });
    decision.thenState({ status: 'published', platformPostId: '99' } as never);
  });

  it('as not delivered leaves it failed for good reason, to be retried', () => {
    const decision = after(past.anUnconfirmedPost()).when(resolve({ delivered: false }, ada));
    const { failure } = (() => {
      const events = resolve(
        { delivered: false },
        ada,
      )(given(postAggregate, ...past.anUnconfirmedPost()).state);
      return given(postAggregate, ...past.anUnconfirmedPost(), ...events).state as { failure: object };
    })();
    decision.thenState({ status: 'failed' });
    expect(failure).toMatchObject({ class: 'permanent', code: 'not_delivered', attemptId });
  });

  it('twice with the same answer changes nothing, with another is refused', () => {
    const yes: PostEvent = {
      type: 'DeliveryResolved',
      data: { ...of, ...delivered, publishedAt: NOW, by: ada },
    };
    after([...past.anUnconfirmedPost(), yes])
      .when(resolve(delivered, ada))
      .then();
    after([...past.anUnconfirmedPost(), yes])
      .when(resolve({ ...delivered, platformPostId: '100' }, ada))
      .thenThrows(DeliveryIsNotUnconfirmed);
    after([...past.anUnconfirmedPost(), yes])
      .when(resolve({ delivered: false }, ada))
      .thenThrows(DeliveryIsNotUnconfirmed);
    const no: PostEvent = {
      type: 'DeliveryResolved',
      data: { ...of, delivered: false, failure: aFailure({ code: 'not_delivered' }), by: ada },
    };
    after([...past.anUnconfirmedPost(), no])
      .when(resolve({ delivered: false }, ada))
      .then();
  });

  it('is only for what is in doubt', () => {
    for (const history of [past.aDraft(), past.aScheduledPost(), past.aFailedPost(), past.aPublishedPost()])
      after(history)
        .when(resolve({ delivered: false }, ada))
        .thenThrows(DeliveryIsNotUnconfirmed);
    after(past.aPostBeingSent()).when(resolve(delivered, ada)).thenThrows(PublishingInProgress);
  });
});
