import { given } from '#libs/event-store/testing';
import * as past from '../../../test/support/post-histories.js';
import {
  ada,
  brandId,
  LATER,
  MUCH_LATER,
  NOW,
  postId,
  suggester,
} from '../../../test/support/post-histories.js';
import { DeliveryIsUnconfirmed, PublishingInProgress } from './delivery.errors.js';
import { PostIsPublished, ScheduleIsInThePast, ScheduleIsMissing } from './post.errors.js';
import { postAggregate } from './evolve.js';
import type { PostEvent } from './post.events.js';
import { update } from './update.js';

const after = (events: PostEvent[]) => given(postAggregate, ...events);
const of = { postId, brandId };

describe('an update', () => {
  const content = past.aContent({ text: 'Even better.' });
  const edit = { content, blockers: [], fingerprint: 'f', by: ada };

  it('is one decision: reverts the post, then edits the content', () => {
    after(past.aScheduledPost())
      .when(update({ intent: { kind: 'revert' }, edit, by: ada, maySchedule: true }, NOW))
      .then(
        { type: 'PostRevertedToDraft', data: { ...of, by: ada } },
        { type: 'PostEdited', data: { ...of, content, changed: ['text'], blockers: [], by: ada } },
      );
  });

  it('withdraws the proposed time of a rejected suggestion that becomes pending again', () => {
    after(past.aRejectedSuggestion())
      .when(update({ edit, intent: { kind: 'clear-time' }, by: ada, maySchedule: true }, NOW))
      .thenState({ content, approval: { state: 'pending', suggestedBy: ada }, proposedTime: null });
  });

  it('schedules the edited content', () => {
    after(past.aDraft({ blockers: [past.tooLong] }))
      .when(
        update({ edit, intent: { kind: 'schedule', scheduledAt: LATER }, by: ada, maySchedule: true }, NOW),
      )
      .thenState({ status: 'scheduled', content } as never);
  });

  it('with one refused part changes nothing', () => {
    after(past.aDraft())
      .when(
        update(
          { edit, intent: { kind: 'schedule', scheduledAt: past.BEFORE }, by: ada, maySchedule: true },
          NOW,
        ),
      )
      .thenThrows(ScheduleIsInThePast);
  });

  it('to the status scheduled needs a stored or sent time', () => {
    after(past.aDraft())
      .when(update({ intent: { kind: 'stay-scheduled' }, by: ada, maySchedule: true }, NOW))
      .thenThrows(ScheduleIsMissing);
    after(past.aScheduledPost())
      .when(update({ intent: { kind: 'stay-scheduled' }, by: ada, maySchedule: true }, NOW))
      .then();
  });

  it('without changes is refused for a published, unconfirmed or open post', () => {
    after(past.aPublishedPost())
      .when(update({ by: ada, maySchedule: true }, NOW))
      .thenThrows(PostIsPublished);
    after(past.anUnconfirmedPost())
      .when(update({ by: ada, maySchedule: true }, NOW))
      .thenThrows(DeliveryIsUnconfirmed);
    after(past.aPostBeingSent())
      .when(update({ by: ada, maySchedule: true }, NOW))
      .thenThrows(PublishingInProgress);
  });

  it('of scheduled content by an automation proposes the new time', () => {
    after(past.aScheduledPost())
      .when(
        update(
          {
            edit: { ...edit, by: suggester },
            intent: { kind: 'schedule', scheduledAt: MUCH_LATER },
            by: suggester,
            maySchedule: true,
          },
          NOW,
        ),
      )
      .thenState({ status: 'draft', proposedTime: MUCH_LATER, origin: 'suggestion' } as never);
  });
});
