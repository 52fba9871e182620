import fc from 'fast-check';
import type { Instant } from '#libs/content';
import { DomainError } from '#libs/errors';
import { given } from '#libs/event-store/testing';
import { aBeginning, after, someTries } from '../../../test/support/post-decisions.js';
import * as past from '../../../test/support/post-histories.js';
import { ada, brandId, NOW, postId } from '../../../test/support/post-histories.js';
import { InvalidEventSequence, postAggregate } from './evolve.js';
import { allowedActions, type PostAction } from './guards.js';
import { approve, reject } from './approval.js';
import { resolve } from './delivery.js';
import { detailsOf } from '../views/post-details.js';
import type { PostEvent } from './post.events.js';
import { exists, noPost, type Post } from './post.js';
import { fingerprintOf } from '../content/content-fingerprint.js';
import { queuePositionOf } from './queue.js';
import { remove, reschedule, retry, revert } from './scheduling.js';
import { edit } from './writing.js';

const evolveAll = (post: Post, events: readonly PostEvent[], at: Instant) =>
  events.reduce((state, event) => postAggregate.evolve(state, event, at), post);

/** Every action with arguments that no rule of its own refuses. */
const actions: Record<PostAction, (now: Instant) => (post: Post) => PostEvent[]> = {
  edit: () => (post) => {
    const read = exists(post) ? post.content : past.aContent();
    const content = { ...read, text: `${read.text}!` };
    return edit({ content, blockers: [], fingerprint: fingerprintOf(content), by: ada })(post);
  },
  revert: () => revert(ada),
  approve: (now) => approve({ by: ada, reason: null, maySchedule: true, fingerprint: fingerprintOf }, now),
  reject: () => reject(ada, null),
  reschedule: (now) => reschedule(after(now, 1_000_000), ada, now),
  retry: (now) => retry(ada, null, now),
  resolve: () => resolve({ delivered: true, platformPostId: 'other', platformPostUrl: null }, ada),
  delete: () => remove(ada),
};

const leadsToSomething = (decision: (post: Post) => PostEvent[], post: Post): boolean => {
  try {
    return decision(post).length > 0;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
};

/** Walks through tries, each some minutes after the one before; refusals leave the post as it is. */
function walk(
  begin: (ids: { postId: string; brandId: string }, now: Instant) => PostEvent[],
  tries: readonly { decide: (now: Instant) => (post: Post) => PostEvent[] }[],
  see: (before: Post, events: readonly PostEvent[], now: Instant) => void,
): { post: Post; log: { event: PostEvent; at: Instant }[] } {
  const first = begin({ postId, brandId }, NOW);
  let post = evolveAll(noPost, first, NOW);
  const log = first.map((event) => ({ event, at: NOW }));
  tries.forEach(({ decide }, index) => {
    const now = after(NOW, (index + 1) * 10);
    let events: PostEvent[] = [];
    try {
      events = decide(now)(post);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
    see(post, events, now);
    post = evolveAll(post, events, now);
    log.push(...events.map((event) => ({ event, at: now })));
  });
  return { post, log };
}

const after_ = (events: readonly PostEvent[]) => given(postAggregate, ...events).state;

describe('any sequence of commands', () => {
  it('what follows from its events is what it is, and JSON keeps all of it', () => {
    fc.assert(
      fc.property(aBeginning, someTries, (begin, tries) => {
        const { post, log } = walk(begin, tries, () => undefined);
        const replayed = (JSON.parse(JSON.stringify(log)) as typeof log).reduce<Post>(
          (state, { event, at }) => postAggregate.evolve(state, event, at),
          noPost,
        );
        expect(replayed).toEqual(post);
      }),
      { numRuns: 200 },
    );
  });

  it('it is called only when it is due, cleared and not on its way already', () => {
    let starts = 0;
    fc.assert(
      fc.property(aBeginning, someTries, (begin, tries) => {
        walk(begin, tries, (before, events, now) => {
          if (!events.some(({ type }) => type === 'PublishAttemptStarted')) return;
          expect(before).toMatchObject({ status: 'scheduled', attempt: null });
          if (before.status !== 'scheduled') return;
          starts += 1;
          expect(before.scheduledAt <= now).toBe(true);
          expect(before.origin === 'person' || before.approval.state === 'approved').toBe(true);
          if (before.approval.state === 'approved')
            expect(before.approval.fingerprint).toBe(fingerprintOf(before.content));
        });
      }),
      { numRuns: 200 },
    );
    expect(starts).toBeGreaterThan(20);
  });

  it('only the publisher changes it during an attempt, and only a resolution while it is unconfirmed', () => {
    const publishers = ['PublishStepRecorded', 'PostHeld', 'PostPublished', 'PostPublishFailed'];
    const seen = { sent: 0, unconfirmed: 0, published: 0 };
    fc.assert(
      fc.property(aBeginning, someTries, (begin, tries) => {
        walk(begin, tries, (before, events) => {
          for (const { type } of events) {
            if (before.status === 'scheduled' && before.attempt) {
              seen.sent += 1;
              expect(publishers).toContain(type);
            }
            if (before.status === 'failed' && before.failure.class === 'unconfirmed') {
              seen.unconfirmed += 1;
              expect(type).toBe('DeliveryResolved');
            }
            if (before.status === 'published') {
              seen.published += 1;
              expect(type).toBe('PostDeleted');
            }
          }
        });
      }),
      { numRuns: 600 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });

  it('is allowed exactly what the decisions would do', () => {
    fc.assert(
      fc.property(aBeginning, someTries, (begin, tries) => {
        walk(begin, tries, (before, _, now) => {
          const possible = (Object.keys(actions) as PostAction[]).filter((action) =>
            leadsToSomething(actions[action](now), before),
          );
          expect(allowedActions(before)).toEqual(possible);
        });
      }),
      { numRuns: 200 },
    );
  });
});

describe('the history of a post', () => {
  it('that cannot be is not guessed at', () => {
    const broken: PostEvent[][] = [
      [{ type: 'PostRejected', data: { postId, brandId, by: ada, reason: null } }],
      [...past.aDraft(), ...past.aDraft()],
      [
        ...past.aDraft(),
        { type: 'PostHeld', data: { postId, brandId, attemptId: null, until: NOW, reason: 'r' } },
      ],
      [
        ...past.aSuggestion(),
        { type: 'PostScheduled', data: { postId, brandId, scheduledAt: NOW, by: ada } },
      ],
      [...past.aDeletedPost(), { type: 'PostRevertedToDraft', data: { postId, brandId, by: ada } }],
    ];
    for (const events of broken) expect(() => after_(events)).toThrow(InvalidEventSequence);
  });
});

describe('the queue', () => {
  const positionOf = (events: PostEvent[]) => {
    const post = after_(events);
    return exists(post) ? queuePositionOf(post) : null;
  };

  it('puts doubt before failure, decisions with a deadline before times that are missing, schedules last', () => {
    const positions = [
      past.anUnconfirmedPost(),
      past.aFailedPost(),
      past.aSuggestion(past.LATER),
      past.anApprovedSuggestion(),
      past.aSuggestion(null),
      past.aScheduledPost(),
    ].map(positionOf);
    expect(positions.map((position) => position?.rank)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(positions.map((position) => position?.state)).toEqual([
      'failed',
      'failed',
      'pending',
      'needs_time',
      'pending',
      'scheduled',
    ]);
    expect([positions[2]?.at, positions[5]?.at]).toEqual([past.LATER, past.LATER]);
  });

  it('contains only posts that need action', () => {
    for (const events of [
      past.aDraft(),
      past.aRejectedSuggestion(),
      past.aPublishedPost(),
      past.aDeletedPost(),
    ])
      expect(positionOf(events)).toBeNull();
  });
});

describe('a post as it is read', () => {
  const read = (events: PostEvent[]) => {
    const post = after_(events);
    if (!exists(post)) throw new Error('gone');
    return detailsOf(post, events.length);
  };

  it('has a time only while it has one', () => {
    expect(read(past.aSuggestion())).toMatchObject({ scheduledAt: null, proposedTime: past.LATER });
    expect(read(past.aScheduledPost())).toMatchObject({ scheduledAt: past.LATER, proposedTime: null });
  });

  it('shows who decided, and why', () => {
    expect(read(past.aRejectedSuggestion()).approval).toEqual({
      state: 'rejected',
      decidedBy: past.bob,
      decidedAt: '2026-01-15T10:00:00.000Z',
      reason: 'Off key.',
      fingerprint: null,
    });
  });

  it('shows which parts are waiting, published and failed', () => {
    expect(read(past.aPostBeingSent())).toMatchObject({ isBeingSent: true, attempts: 1, allowedActions: [] });
    expect(read(past.aPublishedPost())).toMatchObject({ platformPostId: '1', allowedActions: ['delete'] });
    expect(read(past.anUnconfirmedPost())).toMatchObject({
      failure: { class: 'unconfirmed' },
      allowedActions: ['resolve'],
    });
  });
});
