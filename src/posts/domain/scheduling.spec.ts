import type { Instant } from '#libs/content';
import { given } from '#libs/event-store/testing';
import * as past from '../../../test/support/post-histories.js';
import {
  ada,
  brandId,
  LATER,
  MUCH_LATER,
  NOW,
  postId,
  robot,
  suggester,
} from '../../../test/support/post-histories.js';
import { postAggregate } from './evolve.js';
import { DeliveryIsUnconfirmed, PublishingInProgress } from './delivery.errors.js';
import {
  ApprovalIsMissing,
  ContentCannotBePublished,
  PostHasNotFailed,
  PostIsNotQueued,
  PostIsPublished,
  PostNotFound,
  ScheduleIsInThePast,
  ScheduleIsTooFarAhead,
  SchedulingIsNotAllowed,
} from './post.errors.js';
import type { By, PostEvent } from './post.events.js';
import { remove, reschedule, retry, revert, schedule, withdrawTime } from './scheduling.js';
import { update } from './update.js';

const after = (events: PostEvent[]) => given(postAggregate, ...events);
const of = { postId, brandId };
const asked = (scheduledAt: Instant, by: By) => ({ scheduledAt, by, maySchedule: true });

describe('scheduling a draft', () => {
  it('accepts a future time', () => {
    const decision = after(past.aDraft()).when(schedule(asked(LATER, ada), NOW));
    decision.then({ type: 'PostScheduled', data: { ...of, scheduledAt: LATER, by: ada } });
    decision.thenState({ status: 'scheduled', scheduledAt: LATER } as never);
  });

  it('refuses a time that has passed, this very instant too', () => {
    after(past.aDraft())
      .when(schedule(asked(past.BEFORE, ada), NOW))
      .thenThrows(ScheduleIsInThePast);
    after(past.aDraft())
      .when(schedule(asked(NOW, ada), NOW))
      .thenThrows(ScheduleIsInThePast);
  });

  it('refuses a time more than five years ahead, and accepts the last instant before', () => {
    const last = '2031-01-15T12:00:00.000Z';
    after(past.aDraft())
      .when(schedule(asked('2031-01-15T12:00:00.001Z', ada), NOW))
      .thenThrows(ScheduleIsTooFarAhead);
    after(past.aDraft())
      .when(schedule(asked(last, ada), NOW))
      .then({ type: 'PostScheduled', data: { ...of, scheduledAt: last, by: ada } });
  });

  it('counts five years from a 29 February to a 28', () => {
    const leapDay = '2028-02-29T10:00:00.000Z';
    after(past.aDraft())
      .when(schedule(asked('2033-02-28T10:00:00.001Z', ada), leapDay))
      .thenThrows(ScheduleIsTooFarAhead);
  });

  it('refuses text that can never be published', () => {
    after(past.aDraft({ blockers: [past.tooLong] }))
      .when(schedule(asked(LATER, ada), NOW))
      .thenThrows(ContentCannotBePublished, {
        errors: [{ pointer: '#/text', code: 'x.text.too-long', detail: 'Too long.' }],
      });
  });

  it('is refused to people while approval is pending or rejected', () => {
    after(past.aSuggestion())
      .when(schedule(asked(MUCH_LATER, ada), NOW))
      .thenThrows(ApprovalIsMissing);
    after(past.aRejectedSuggestion())
      .when(schedule(asked(LATER, ada), NOW))
      .thenThrows(ApprovalIsMissing);
    after(past.aRejectedSuggestion())
      .when(schedule(asked(LATER, suggester), NOW))
      .thenThrows(ApprovalIsMissing);
  });

  it('by an automation is a proposal for content without approval', () => {
    const proposal: PostEvent = {
      type: 'PostReturnedForApproval',
      data: { ...of, by: suggester, proposedTime: MUCH_LATER },
    };
    after(past.aSuggestion())
      .when(schedule(asked(MUCH_LATER, suggester), NOW))
      .then(proposal);
    const decision = after(past.aDraft()).when(schedule(asked(MUCH_LATER, suggester), NOW));
    decision.then(proposal);
    decision.thenState({ status: 'draft', origin: 'suggestion' } as never);
  });

  it('of content that needs no approval needs the scope to schedule, for an automation, too', () => {
    const decision = schedule({ ...asked(MUCH_LATER, suggester), maySchedule: false }, NOW);
    const cleared = [
      past.aScheduledPost(),
      past.aScheduledSuggestion(),
      past.anApprovedSuggestion(),
      past.aFailedPost(),
    ];
    for (const history of cleared) after(history).when(decision).thenThrows(SchedulingIsNotAllowed);
    for (const history of [past.aSuggestion(), past.aDraft()])
      after(history)
        .when(decision)
        .thenState({ status: 'draft', proposedTime: MUCH_LATER } as never);
    after(past.aScheduledPost(MUCH_LATER)).when(decision).then();
    after(past.aScheduledPost())
      .when(schedule(asked(MUCH_LATER, suggester), NOW))
      .thenState({ status: 'scheduled', scheduledAt: MUCH_LATER } as never);
  });

  it('proposed twice for the same time changes nothing', () => {
    after(past.aSuggestion(LATER))
      .when(schedule(asked(LATER, suggester), NOW))
      .then();
  });

  it('brings a failed post back, its failure cleared', () => {
    const decision = after(past.aFailedPost()).when(schedule(asked(LATER, ada), NOW));
    decision.then({
      type: 'PostRescheduled',
      data: { ...of, scheduledAt: LATER, previous: past.BEFORE, by: ada },
    });
    decision.thenState({ status: 'scheduled', failure: undefined } as never);
  });
});

describe('rescheduling', () => {
  it('moves a scheduled post', () => {
    after(past.aScheduledPost())
      .when(reschedule(MUCH_LATER, ada, NOW))
      .then({ type: 'PostRescheduled', data: { ...of, scheduledAt: MUCH_LATER, previous: LATER, by: ada } });
  });

  it('to the time it has changes nothing', () => {
    after(past.aScheduledPost())
      .when(reschedule(LATER, ada, NOW))
      .then();
  });

  it('gives an approved suggestion the time it needs', () => {
    after(past.anApprovedSuggestion())
      .when(reschedule(LATER, robot, NOW))
      .then({ type: 'PostScheduled', data: { ...of, scheduledAt: LATER, by: robot } });
  });

  it('brings a failed post back to the queue', () => {
    after(past.aFailedPost())
      .when(reschedule(LATER, ada, NOW))
      .thenState({ status: 'scheduled' });
  });

  it('is only for what is queued', () => {
    after(past.aDraft())
      .when(reschedule(LATER, ada, NOW))
      .thenThrows(PostIsNotQueued);
    after(past.aSuggestion())
      .when(reschedule(LATER, ada, NOW))
      .thenThrows(PostIsNotQueued);
    after(past.aPublishedPost())
      .when(reschedule(LATER, ada, NOW))
      .thenThrows(PostIsNotQueued);
  });

  it('is refused to the past, during an attempt, and if unconfirmed', () => {
    after(past.aScheduledPost())
      .when(reschedule(past.BEFORE, ada, NOW))
      .thenThrows(ScheduleIsInThePast);
    after(past.aPostBeingSent())
      .when(reschedule(LATER, ada, NOW))
      .thenThrows(PublishingInProgress);
    after(past.anUnconfirmedPost())
      .when(reschedule(LATER, ada, NOW))
      .thenThrows(DeliveryIsUnconfirmed);
  });

  it('clears a hold', () => {
    const held: PostEvent = {
      type: 'PostHeld',
      data: { ...of, attemptId: null, until: LATER, reason: 'rate_limited' },
    };
    after([...past.aScheduledPost(), held])
      .when(reschedule(MUCH_LATER, ada, NOW))
      .thenState({ held: null });
  });
});

describe('reverting to a draft', () => {
  it('clears the schedule', () => {
    const decision = after(past.aScheduledPost()).when(revert(ada));
    decision.then({ type: 'PostRevertedToDraft', data: { ...of, by: ada } });
    decision.thenState({
      status: 'draft',
      scheduledAt: undefined,
      approval: { state: 'not_required' },
    } as never);
  });

  it('clears a failure', () => {
    after(past.aFailedPost())
      .when(revert(ada))
      .thenState({ status: 'draft', failure: undefined } as never);
  });

  it('keeps an approval, so that the post needs a time only', () => {
    after([...past.aScheduledSuggestion(), { type: 'PostRevertedToDraft', data: { ...of, by: ada } }])
      .when(reschedule(LATER, ada, NOW))
      .then({ type: 'PostScheduled', data: { ...of, scheduledAt: LATER, by: ada } });
  });

  it('of a draft changes nothing', () => after(past.aDraft()).when(revert(ada)).then());

  it('is refused during an attempt, if unconfirmed, and if published', () => {
    after(past.aPostBeingSent()).when(revert(ada)).thenThrows(PublishingInProgress);
    after(past.anUnconfirmedPost()).when(revert(ada)).thenThrows(DeliveryIsUnconfirmed);
    after(past.aPublishedPost()).when(revert(ada)).thenThrows(PostIsPublished);
  });
});

describe('retrying', () => {
  it('makes a failed post due at once, its failure cleared', () => {
    const decision = after(past.aFailedPost()).when(retry(ada, null, NOW));
    decision.then({ type: 'PostRetried', data: { ...of, scheduledAt: NOW, by: ada, reason: null } });
    decision.thenState({ status: 'scheduled', scheduledAt: NOW, isRetry: true } as never);
  });

  it('asked twice changes nothing', () => {
    const retried: PostEvent = {
      type: 'PostRetried',
      data: { ...of, scheduledAt: NOW, by: ada, reason: null },
    };
    after([...past.aFailedPost(), retried])
      .when(retry(ada, null, NOW))
      .then();
  });

  it('is refused while the post that was retried is sent', () => {
    const retried: PostEvent = {
      type: 'PostRetried',
      data: { ...of, scheduledAt: NOW, by: ada, reason: null },
    };
    const started: PostEvent = {
      type: 'PublishAttemptStarted',
      data: { ...of, attemptId: 'a', connectionId: 'c', fingerprint: 'f' },
    };
    after([...past.aFailedPost(), retried, started])
      .when(retry(ada, null, NOW))
      .thenThrows(PublishingInProgress);
  });

  it('is only for what failed', () => {
    after(past.aScheduledPost())
      .when(retry(ada, null, NOW))
      .thenThrows(PostHasNotFailed);
    after(past.aDraft())
      .when(retry(ada, null, NOW))
      .thenThrows(PostHasNotFailed);
    after(past.aPublishedPost())
      .when(retry(ada, null, NOW))
      .thenThrows(PostHasNotFailed);
  });

  it('is refused during an attempt and if unconfirmed', () => {
    after(past.aPostBeingSent())
      .when(retry(ada, null, NOW))
      .thenThrows(PublishingInProgress);
    after(past.anUnconfirmedPost())
      .when(retry(ada, null, NOW))
      .thenThrows(DeliveryIsUnconfirmed);
  });
});

describe('deleting', () => {
  it.each([
    ['draft', past.aDraft()],
    ['scheduled', past.aScheduledPost()],
    ['failed', past.aFailedPost()],
    ['published', past.aPublishedPost()],
  ])('takes away a post that is %s', (status, history) => {
    const decision = after(history).when(remove(ada));
    decision.then({ type: 'PostDeleted', data: { ...of, by: ada, status } });
    decision.thenState({ status: 'deleted' });
  });

  it('is refused during an attempt and if unconfirmed', () => {
    after(past.aPostBeingSent()).when(remove(ada)).thenThrows(PublishingInProgress);
    after(past.anUnconfirmedPost()).when(remove(ada)).thenThrows(DeliveryIsUnconfirmed);
  });

  it('leaves nothing that anything could be decided about', () => {
    for (const decision of [remove(ada), revert(ada), retry(ada, null, NOW), reschedule(LATER, ada, NOW)])
      after(past.aDeletedPost()).when(decision).thenThrows(PostNotFound);
  });
});

describe('taking a proposed time back', () => {
  const anEdit = { content: past.aContent({ text: 'Even better.' }), blockers: [], fingerprint: 'f' };

  it('leaves a suggestion that approval does not schedule, for every author', () => {
    for (const by of [ada, suggester]) {
      const decision = after(past.aSuggestion()).when(withdrawTime(by));
      decision.then({ type: 'PostReturnedForApproval', data: { ...of, by, proposedTime: null } });
      decision.thenState({ status: 'draft', proposedTime: null, suggesters: [suggester] });
    }
    const program = { type: 'service', id: 'another' } as const;
    after(past.aSuggestion())
      .when(withdrawTime(program))
      .thenState({ suggesters: [suggester, program] });
  });

  it('is recorded for a rejected suggestion, which stays rejected, and applies after an edit', () => {
    const taken: PostEvent = { type: 'PostRevertedToDraft', data: { ...of, by: ada } };
    const decision = after(past.aRejectedSuggestion()).when(withdrawTime(ada));
    decision.then(taken);
    decision.thenState({ status: 'draft', proposedTime: null });
    decision.thenState({
      approval: {
        state: 'rejected',
        decidedBy: past.bob,
        decidedAt: '2026-01-15T10:00:00.000Z',
        reason: 'Off key.',
      },
    });
    const again = after([...past.aRejectedSuggestion(), taken]);
    again.when(withdrawTime(ada)).then();
    again
      .when(update({ edit: { ...anEdit, by: ada }, by: ada, maySchedule: true }, NOW))
      .thenState({ approval: { state: 'pending', suggestedBy: ada }, proposedTime: null });
  });

  it('changes nothing without a proposed time', () => {
    for (const events of [past.aSuggestion(null), past.aDraft(), past.aScheduledPost()])
      after(events).when(withdrawTime(ada)).then();
  });

  it('is refused for a published or unconfirmed post', () => {
    after(past.aPublishedPost()).when(withdrawTime(ada)).thenThrows(PostIsPublished);
    after(past.anUnconfirmedPost()).when(withdrawTime(ada)).thenThrows(DeliveryIsUnconfirmed);
  });
});
