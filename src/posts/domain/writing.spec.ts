import type { Platform } from '#libs/content';
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
  tooLong,
} from '../../../test/support/post-histories.js';
import { postAggregate } from './evolve.js';
import { DeliveryIsUnconfirmed, PublishingInProgress } from './delivery.errors.js';
import {
  ContentCannotBePublished,
  PostIsEmpty,
  PostIsPublished,
  PostNotFound,
  ScheduleIsInThePast,
} from './post.errors.js';
import type { By, PostContent, PostEvent } from './post.events.js';
import { canonicalContent, changedFields, draft, edit, suggest, withChanges } from './writing.js';

const after = (events: PostEvent[]) => given(postAggregate, ...events);
const of = { postId, brandId };
const newPost = {
  postId,
  brandId,
  platform: 'x' as Platform,
  content: aContent(),
  thread: null,
  blockers: [],
  scheduledAt: null,
  by: ada,
};
const drafted: PostEvent = {
  type: 'PostDrafted',
  data: {
    ...of,
    authorId: ada.id,
    platform: 'x' as Platform,
    content: aContent(),
    thread: null,
    blockers: [],
  },
};

describe('a new post', () => {
  it('of a person is a draft', () => {
    const decision = given(postAggregate).when(draft(newPost, NOW));
    decision.then(drafted);
    decision.thenState({ status: 'draft', origin: 'person', approval: { state: 'not_required' } } as never);
  });

  it('of a person with a time is scheduled', () => {
    given(postAggregate)
      .when(draft({ ...newPost, scheduledAt: LATER }, NOW))
      .then(drafted, { type: 'PostScheduled', data: { ...of, scheduledAt: LATER, by: ada } });
  });

  it('cannot be scheduled in the past, nor with text that can never be published', () => {
    given(postAggregate)
      .when(draft({ ...newPost, scheduledAt: past.BEFORE }, NOW))
      .thenThrows(ScheduleIsInThePast);
    given(postAggregate)
      .when(draft({ ...newPost, scheduledAt: LATER, blockers: [tooLong] }, NOW))
      .thenThrows(ContentCannotBePublished);
  });

  it('needs text or media from every author', () => {
    for (const begin of [draft, suggest])
      for (const by of [ada, suggester]) {
        const nothing = { ...newPost, by, content: aContent({ text: ' \n' }) };
        given(postAggregate).when(begin(nothing, NOW)).thenThrows(PostIsEmpty);
        const picture = aContent({ text: '', mediaIds: ['m'] });
        given(postAggregate)
          .when(begin({ ...newPost, by, content: picture }, NOW))
          .thenState({ content: picture });
      }
  });

  it('can be a draft that violates network rules', () => {
    given(postAggregate)
      .when(draft({ ...newPost, blockers: [tooLong] }, NOW))
      .thenState({ status: 'draft', blockers: [tooLong] } as never);
  });

  it.each([suggester, robot])('of a program is a suggestion, its time a proposal ($type)', (by) => {
    const decision = given(postAggregate).when(draft({ ...newPost, by, scheduledAt: LATER }, NOW));
    decision.thenState({
      status: 'draft',
      origin: 'suggestion',
      approval: { state: 'pending', suggestedBy: by },
      proposedTime: LATER,
    } as never);
  });

  it('cannot be proposed for the past', () => {
    given(postAggregate)
      .when(suggest({ ...newPost, by: suggester, scheduledAt: past.BEFORE }, NOW))
      .thenThrows(ScheduleIsInThePast);
  });
});

describe('editing', () => {
  const content = aContent({ text: 'Even better.' });
  const editBy = (by: By, overrides: object = {}) =>
    edit({ content, blockers: [], fingerprint: 'new-fingerprint', by, ...overrides });
  const edited = (by: By): PostEvent => ({
    type: 'PostEdited',
    data: { ...of, content, changed: ['text'], blockers: [], by },
  });
  const returned = (by: By, proposedTime: string | null): PostEvent => ({
    type: 'PostReturnedForApproval',
    data: { ...of, by, proposedTime },
  });

  it('never leaves a post without text and media', () => {
    const empty = editBy(ada, { content: aContent({ text: ' ' }) });
    for (const history of [past.aDraft(), past.aScheduledPost(), past.aFailedPost(), past.aSuggestion()])
      after(history).when(empty).thenThrows(PostIsEmpty);
    const withMedia = past.aDraft({ content: aContent({ text: '', mediaIds: ['m'] }) });
    after(withMedia)
      .when(editBy(ada, { content: aContent({ text: '', mediaIds: [] }) }))
      .thenThrows(PostIsEmpty);
    const picture = aContent({ text: '', mediaIds: ['m'] });
    after(past.aScheduledPost())
      .when(editBy(ada, { content: picture }))
      .thenState({ status: 'scheduled', content: picture } as never);
  });

  it('a draft leaves it a draft', () => {
    const decision = after(past.aDraft()).when(editBy(ada));
    decision.then(edited(ada));
    decision.thenState({ status: 'draft', content } as never);
  });

  it('a scheduled post leaves it scheduled: the publisher sends what is stored last', () => {
    after(past.aScheduledPost()).when(editBy(ada)).then(edited(ada));
    after(past.aScheduledPost())
      .when(editBy(ada))
      .thenState({ status: 'scheduled', content } as never);
  });

  it('the target ends a hold, which is about the account it had; the text does not', () => {
    const held: PostEvent = {
      type: 'PostHeld',
      data: { ...of, attemptId: null, until: MUCH_LATER, reason: 'rate_limited' },
    };
    const post = after([...past.aScheduledPost(), held]);
    post
      .when(editBy(ada))
      .thenState({ held: { until: MUCH_LATER, reason: 'rate_limited', attemptId: null } });
    const elsewhere = aContent({ target: { accountId: 'other' } });
    post.when(editBy(ada, { content: elsewhere })).thenState({ status: 'scheduled', held: null });
  });

  it('a failed post leaves it failed', () => {
    after(past.aFailedPost())
      .when(editBy(ada))
      .thenState({ status: 'failed', content } as never);
  });

  it('that changes nothing is nothing', () => {
    after(past.aDraft())
      .when(editBy(ada, { content: aContent() }))
      .then();
    after(past.aRejectedSuggestion())
      .when(editBy(ada, { content: aContent() }))
      .then();
  });

  it('an approved suggestion by a person stays approved, in that name and for the new text', () => {
    const decision = after(past.aScheduledSuggestion()).when(editBy(ada));
    decision.then(edited(ada), {
      type: 'PostApprovalRenewed',
      data: { ...of, by: ada, fingerprint: 'new-fingerprint' },
    });
    const { status, approval } = given(postAggregate, ...past.aScheduledSuggestion(), edited(ada), {
      type: 'PostApprovalRenewed',
      data: { ...of, by: ada, fingerprint: 'new-fingerprint' },
    }).state as { status: string; approval: object };
    expect({ status, approval }).toMatchObject({
      status: 'scheduled',
      approval: { state: 'approved', decidedBy: ada, fingerprint: 'new-fingerprint' },
    });
  });

  it.each([suggester, robot])('approved text by a program makes it a pending draft again ($type)', (by) => {
    const decision = after(past.aScheduledSuggestion()).when(editBy(by));
    decision.then(edited(by), returned(by, LATER));
    decision.thenState({
      status: 'draft',
      approval: { state: 'pending', suggestedBy: by },
      proposedTime: LATER,
    } as never);
  });

  it("a person's post by a program makes it a suggestion, wherever it stood", () => {
    after(past.aDraft()).when(editBy(suggester)).then(edited(suggester), returned(suggester, null));
    after(past.aScheduledPost()).when(editBy(robot)).then(edited(robot), returned(robot, LATER));
    after(past.aFailedPost()).when(editBy(robot)).then(edited(robot), returned(robot, past.BEFORE));
    after(past.aScheduledPost())
      .when(editBy(robot))
      .thenState({ status: 'draft', origin: 'suggestion' } as never);
  });

  it('a pending suggestion leaves it pending', () => {
    after(past.aSuggestion()).when(editBy(ada)).then(edited(ada));
    after(past.aSuggestion()).when(editBy(suggester)).then(edited(suggester));
  });

  it('a suggestion of one program by another makes it the other one’s', () => {
    after(past.aSuggestion()).when(editBy(robot)).then(edited(robot), returned(robot, LATER));
  });

  it('a rejected suggestion makes it pending again for every author', () => {
    for (const by of [ada, suggester])
      after(past.aRejectedSuggestion()).when(editBy(by)).then(edited(by), returned(by, LATER));
  });

  it('into text that can never be published is refused where it would go out, or is approved', () => {
    const unpublishable = editBy(ada, { blockers: [tooLong] });
    after(past.aScheduledPost()).when(unpublishable).thenThrows(ContentCannotBePublished);
    after(past.aScheduledSuggestion()).when(unpublishable).thenThrows(ContentCannotBePublished);
    after(past.anApprovedSuggestion()).when(unpublishable).thenThrows(ContentCannotBePublished);
  });

  it('can violate network rules in a draft', () => {
    for (const history of [past.aDraft(), past.aSuggestion(), past.aFailedPost()])
      after(history)
        .when(editBy(ada, { blockers: [tooLong] }))
        .thenState({ blockers: [tooLong] });
  });

  it('is refused during an attempt, if unconfirmed, published or deleted', () => {
    after(past.aPostBeingSent()).when(editBy(bob)).thenThrows(PublishingInProgress);
    after(past.anUnconfirmedPost()).when(editBy(bob)).thenThrows(DeliveryIsUnconfirmed);
    after(past.aPublishedPost()).when(editBy(bob)).thenThrows(PostIsPublished);
    after(past.aDeletedPost()).when(editBy(bob)).thenThrows(PostNotFound);
  });
});

describe('changes', () => {
  const content: PostContent = aContent({
    title: 'T',
    link: 'https://a.example',
    target: { pageId: '1', groupId: '2' },
  });

  it('preserve what was not sent, the parts of the target too', () => {
    expect(withChanges(content, { text: 'New', target: { pageId: '9' } })).toEqual({
      ...content,
      text: 'New',
      target: { pageId: '9', groupId: '2' },
    });
  });

  it('empty what was sent as null', () => {
    expect(withChanges(content, { title: null, link: null })).toMatchObject({ title: null, link: null });
  });

  it('take away the parts of the target that were sent as null, and no others', () => {
    expect(withChanges(content, { target: { pageId: null, accountId: null } }).target).toEqual({
      groupId: '2',
    });
    expect(Object.keys(withChanges(content, { target: { groupId: null } }).target)).toEqual(['pageId']);
  });

  it('are named, in a fixed order', () => {
    expect(changedFields(content, { ...content, target: {}, text: 'x' })).toEqual(['text', 'target']);
  });

  it('do not depend on the order of keys', () => {
    const turned = { ...content, target: { groupId: '2', pageId: '1' } };
    expect(changedFields(content, turned)).toEqual([]);
    expect(canonicalContent(turned)).toBe(canonicalContent(content));
    expect(canonicalContent({ ...content, text: 'T', title: content.text })).not.toBe(
      canonicalContent(content),
    );
  });
});

describe('options', () => {
  const content = aContent({ options: { privacy: 'private', tags: ['coffee'], madeForKids: false } });

  it('that were not sent stay, null and an empty list remove one', () => {
    expect(withChanges(content, { text: 'New' }).options).toEqual(content.options);
    expect(withChanges(content, { options: { privacy: null, tags: [], format: 'reel' } }).options).toEqual({
      madeForKids: false,
      format: 'reel',
    });
  });

  it('leave no trace once none remains', () => {
    const removed = withChanges(content, { options: { privacy: null, tags: null, madeForKids: null } });
    expect(removed).toEqual(aContent());
    expect(Object.keys(removed)).not.toContain('options');
  });

  it('change the fingerprint, and only where there are any', () => {
    expect(canonicalContent(aContent())).toBe(
      JSON.stringify(['"Our new roast is here."', 'null', '[]', 'null', '[]']),
    );
    expect(canonicalContent(aContent({ options: {} }))).toBe(canonicalContent(aContent()));
    expect(canonicalContent(content)).not.toBe(canonicalContent(aContent()));
    const turned = aContent({ options: { madeForKids: false, tags: ['coffee'], privacy: 'private' } });
    expect(canonicalContent(turned)).toBe(canonicalContent(content));
  });

  it('are named among the changes, and not when they are the same', () => {
    expect(changedFields(aContent(), content)).toEqual(['options']);
    expect(changedFields(content, withChanges(content, { options: { privacy: 'private' } }))).toEqual([]);
    expect(changedFields(aContent(), aContent({ options: {} }))).toEqual([]);
  });
});
