import { given } from '#libs/event-store/testing';
import * as past from '../../../test/support/post-histories.js';
import {
  aContent,
  ada,
  bob,
  brandId,
  LATER,
  MUCH_LATER,
  NOW,
  postId,
  robot,
  suggester,
} from '../../../test/support/post-histories.js';
import { postAggregate } from './evolve.js';
import { approve, reject } from './approval.js';
import { DeliveryIsUnconfirmed, PublishingInProgress } from './delivery.errors.js';
import {
  ContentCannotBePublished,
  PostIsNotPending,
  PostNotFound,
  SchedulingIsNotAllowed,
  SuggestionIsYourOwn,
} from './post.errors.js';
import type { By, PostEvent } from './post.events.js';
import type { Draft } from './post.js';
import { fingerprintOf } from '../content/content-fingerprint.js';

const after = (events: PostEvent[]) => given(postAggregate, ...events);
const of = { postId, brandId };
const fingerprint = fingerprintOf(aContent());
const approval = { by: bob, reason: null, maySchedule: true, fingerprint: fingerprintOf };
const approved: PostEvent = { type: 'PostApproved', data: { ...of, by: bob, reason: null, fingerprint } };

describe('approving', () => {
  it('schedules a suggestion whose proposed time is ahead', () => {
    const decision = after(past.aSuggestion()).when(approve(approval, NOW));
    decision.then(approved, { type: 'PostScheduled', data: { ...of, scheduledAt: LATER, by: bob } });
    decision.thenState({ status: 'scheduled', scheduledAt: LATER } as never);
  });

  it('leaves it without a time if the proposed one has passed or is missing', () => {
    for (const history of [past.aSuggestion(LATER), past.aSuggestion(null)]) {
      const decision = after(history).when(approve(approval, MUCH_LATER));
      decision.then(approved);
      decision.thenState({ status: 'draft', proposedTime: null } as never);
    }
  });

  it('binds the content as it stands', () => {
    after(past.aSuggestion(null))
      .when(approve(approval, NOW))
      .thenState({
        approval: {
          state: 'approved',
          decidedBy: bob,
          decidedAt: '2026-01-15T10:00:00.000Z',
          reason: null,
          fingerprint,
        },
      } as never);
  });

  it('asked twice changes nothing, before and after it went out', () => {
    after(past.anApprovedSuggestion()).when(approve(approval, NOW)).then();
    after(past.aScheduledSuggestion())
      .when(approve({ ...approval, by: ada }, NOW))
      .then();
  });

  it('is only for what is pending', () => {
    for (const history of [
      past.aDraft(),
      past.aRejectedSuggestion(),
      past.aScheduledPost(),
      past.aPublishedPost(),
    ])
      after(history).when(approve(approval, NOW)).thenThrows(PostIsNotPending);
  });

  it('refuses text that can never be published', () => {
    after(past.aSuggestion(LATER, { blockers: [past.tooLong] }))
      .when(approve(approval, NOW))
      .thenThrows(ContentCannotBePublished);
  });

  it('that schedules the post needs the scope to schedule', () => {
    const decision = approve({ ...approval, maySchedule: false }, NOW);
    after(past.aSuggestion()).when(decision).thenThrows(SchedulingIsNotAllowed);
    after(past.aSuggestion(null)).when(decision).then(approved);
  });

  it('is not for the service principal that suggested it, but for another program', () => {
    after(past.aSuggestion())
      .when(approve({ ...approval, by: suggester }, NOW))
      .thenThrows(SuggestionIsYourOwn);
    after(past.aSuggestion(null))
      .when(approve({ ...approval, by: robot }, NOW))
      .then({ ...approved, data: { ...approved.data, by: robot } });
  });

  describe('is not for a service principal with any part in it', () => {
    const other: By = { type: 'service', id: '01936d2e-7c1a-7b3e-9f52-000000000005' };
    const editedBy = (by: By, text: string): PostEvent => ({
      type: 'PostEdited',
      data: { ...of, content: aContent({ text }), changed: ['text'], blockers: [], by },
    });
    const returnedBy = (by: By): PostEvent => ({
      type: 'PostReturnedForApproval',
      data: { ...of, by, proposedTime: null },
    });
    const rejected: PostEvent = { type: 'PostRejected', data: { ...of, by: bob, reason: null } };
    const approvedBy = (by: By, history: PostEvent[]) =>
      approve({ ...approval, by }, NOW)(after(history).state);
    const repaired = [rejected, editedBy(ada, 'Without the typo.'), returnedBy(ada)];

    it.each<[string, PostEvent[]]>([
      ['that wrote it, rejected and repaired by a person', [...past.aSuggestion(null), ...repaired]],
      [
        'that edited a person’s text, rejected and repaired by a person',
        [...past.aDraft(), editedBy(suggester, 'More.'), returnedBy(suggester), ...repaired],
      ],
      ['that wrote it, before another proposed another time', [...past.aSuggestion(null), returnedBy(other)]],
      [
        'that wrote it, before another edited it',
        [...past.aSuggestion(null), editedBy(other, 'More.'), returnedBy(other)],
      ],
      ['that only proposed its time', [...past.aDraft(), returnedBy(suggester)]],
      [
        'that wrote it, approved once, and edited by another',
        [...past.anApprovedSuggestion(), editedBy(other, 'More.'), returnedBy(other)],
      ],
    ])('%s', (_, history) => {
      after(history)
        .when(approve({ ...approval, by: suggester }, NOW))
        .thenThrows(SuggestionIsYourOwn);
      for (const by of [bob, robot]) expect(approvedBy(by, history)).toMatchObject([{ data: { by } }]);
    });

    it('and is for another that had none', () => {
      const history = [...past.aSuggestion(null), ...repaired];
      expect(approvedBy(other, history)).toMatchObject([{ type: 'PostApproved', data: { by: other } }]);
    });
  });

  describe('is not for an API key that had a part in it', () => {
    const byKey: PostEvent[] = [
      {
        type: 'PostEdited',
        data: { ...of, content: aContent({ text: 'By a key.' }), changed: ['text'], blockers: [], by: robot },
      },
      { type: 'PostReturnedForApproval', data: { ...of, by: robot, proposedTime: null } },
    ];
    const edited = (text: string): PostEvent => ({
      type: 'PostEdited',
      data: { ...of, content: aContent({ text }), changed: ['text'], blockers: [], by: ada },
    });

    it.each<[string, PostEvent[]]>([
      ['that edited a person’s draft', [...past.aDraft(), ...byKey]],
      ['that edited what a service principal wrote', [...past.aSuggestion(null), ...byKey]],
      ['that edited it after an approval', [...past.anApprovedSuggestion(), ...byKey]],
      ['that edited it before a person did', [...past.aDraft(), ...byKey, edited('By Ada, and by a key.')]],
    ])('%s, and is for a person', (_, history) => {
      after(history)
        .when(approve({ ...approval, by: robot }, NOW))
        .thenThrows(SuggestionIsYourOwn);
      const approvedByPerson = approve(approval, NOW)(after(history).state);
      expect(approvedByPerson).toMatchObject([{ type: 'PostApproved', data: { by: bob } }]);
    });
  });

  describe('is for another API key than the ones with a part in it', () => {
    const writer: By = { type: 'api_key', id: '01936d2e-7c1a-7b3e-9f52-000000000007' };
    const successor: By = { ...writer };
    const independent: By = { ...writer, id: '01936d2e-7c1a-7b3e-9f52-000000000008' };
    const edited = (by: By): PostEvent[] => [
      {
        type: 'PostEdited',
        data: { ...of, content: aContent({ text: 'By a key.' }), changed: ['text'], blockers: [], by },
      },
      { type: 'PostReturnedForApproval', data: { ...of, by, proposedTime: null } },
    ];
    const decidedBy = (by: By, history: PostEvent[]) => () =>
      approve({ ...approval, by }, NOW)(after(history).state);

    it('never for the key that wrote it, or its successor by rotation', () => {
      const history = [...past.aSuggestion(null), ...edited(writer)];
      for (const by of [writer, successor]) expect(decidedBy(by, history)).toThrow(SuggestionIsYourOwn);
      expect(decidedBy(independent, history)()).toMatchObject([{ type: 'PostApproved' }]);
    });

    it('for none that had a part, where several had', () => {
      const history = [...past.aSuggestion(null), ...edited(writer), ...edited(independent)];
      for (const by of [writer, independent]) expect(decidedBy(by, history)).toThrow(SuggestionIsYourOwn);
    });
  });

  it('records the version, and whether the caller named it', () => {
    const bound = { version: 1, basis: 'if_match' } as const;
    const decision = after(past.aSuggestion(null)).when(approve({ ...approval, bound }, NOW));
    decision.then({ ...approved, data: { ...approved.data, bound } });
    const { approval: kept } = postAggregate.evolve(
      after(past.aSuggestion(null)).state,
      { ...approved, data: { ...approved.data, bound } },
      NOW,
    ) as Draft;
    expect(kept).toMatchObject({ state: 'approved', bound });
  });

  it('is refused during an attempt, if unconfirmed or deleted', () => {
    after(past.aPostBeingSent()).when(approve(approval, NOW)).thenThrows(PublishingInProgress);
    after(past.anUnconfirmedPost()).when(approve(approval, NOW)).thenThrows(DeliveryIsUnconfirmed);
    after(past.aDeletedPost()).when(approve(approval, NOW)).thenThrows(PostNotFound);
  });
});

describe('rejecting', () => {
  it('removes a suggestion from the queue', () => {
    const decision = after(past.aSuggestion()).when(reject(bob, 'Off key.'));
    decision.then({ type: 'PostRejected', data: { ...of, by: bob, reason: 'Off key.' } });
    decision.thenState({ status: 'draft' });
  });

  it('asked twice changes nothing', () => after(past.aRejectedSuggestion()).when(reject(ada, null)).then());

  it('is only for what is pending', () => {
    for (const history of [
      past.aDraft(),
      past.anApprovedSuggestion(),
      past.aScheduledSuggestion(),
      past.aFailedPost(),
    ])
      after(history).when(reject(bob, null)).thenThrows(PostIsNotPending);
  });

  it('is refused during an attempt and if unconfirmed', () => {
    after(past.aPostBeingSent()).when(reject(bob, null)).thenThrows(PublishingInProgress);
    after(past.anUnconfirmedPost()).when(reject(bob, null)).thenThrows(DeliveryIsUnconfirmed);
  });
});
