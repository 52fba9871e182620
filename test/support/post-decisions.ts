import fc from 'fast-check';
import { FAILURE_CLASSES, type Instant, type Platform } from '#libs/content';
import { approve, reject } from '../../src/posts/domain/approval.js';
import {
  hold,
  recordFailed,
  recordPublished,
  recordStep,
  resolve,
  startAttempt,
} from '../../src/posts/domain/delivery.js';
import type { By, PostEvent } from '../../src/posts/domain/post.events.js';
import { exists, noPost, type Post } from '../../src/posts/domain/post.js';
import { fingerprintOf } from '../../src/posts/content/content-fingerprint.js';
import { remove, reschedule, retry } from '../../src/posts/domain/scheduling.js';
import { update } from '../../src/posts/domain/update.js';
import { draft, suggest } from '../../src/posts/domain/writing.js';
import * as past from './post-histories.js';

/** One thing somebody tries, at a time; most of them are refused in most states. */
export interface Attempted {
  readonly name: string;
  readonly decide: (now: Instant) => (post: Post) => PostEvent[];
}

const by = fc.constantFrom<By>(past.ada, past.bob, past.suggester, past.robot);
const minutes = fc.integer({ min: -30, max: 90 });
const attemptId = fc.constantFrom(past.attemptId, '01936d2e-7c1a-7b3e-9f52-0000000000ce');
const blockers = fc.constantFrom([], [], [past.tooLong]);

export const after = (now: Instant, offset: number): Instant =>
  new Date(new Date(now).getTime() + offset * 60_000).toISOString();

const attempted = (name: string, decide: Attempted['decide']): Attempted => ({ name, decide });
const contentOf = (post: Post) => (exists(post) ? post.content : past.aContent());

const edits = fc
  .record({
    by,
    blockers,
    text: fc.constantFrom('A', 'B', 'C'),
    at: minutes,
    kind: fc.option(fc.constantFrom('schedule', 'stay-scheduled', 'revert', 'clear-time')),
    maySchedule: fc.boolean(),
  })
  .map(({ by: who, text, at, kind, maySchedule, blockers: found }) =>
    attempted('update', (now) => (post) => {
      const content = past.aContent({ text });
      const edit = {
        content,
        blockers: found,
        fingerprint: fingerprintOf(content),
        by: who,
      };
      const intent = kind && { kind, scheduledAt: after(now, at) };
      return update({ edit, intent: intent ?? undefined, by: who, maySchedule }, now)(post);
    }),
  );

const people = fc.oneof(
  edits,
  fc
    .tuple(by, minutes)
    .map(([who, at]) => attempted('reschedule', (now) => reschedule(after(now, at), who, now))),
  by.map((who) => attempted('retry', (now) => retry(who, null, now))),
  by.map((who) => attempted('reject', () => reject(who, null))),
  fc
    .tuple(by, fc.boolean())
    .map(([who, maySchedule]) =>
      attempted('approve', (now) =>
        approve({ by: who, reason: null, maySchedule, fingerprint: fingerprintOf }, now),
      ),
    ),
  fc
    .boolean()
    .map((delivered) =>
      attempted('resolve', () =>
        resolve(
          delivered ? { delivered, platformPostId: '1', platformPostUrl: null } : { delivered },
          past.ada,
        ),
      ),
    ),
);

const publisher = fc.oneof(
  attemptId.map((id) =>
    attempted('start', (now) => (post) => {
      const start = {
        attemptId: id,
        connectionId: past.connectionId,
        fingerprint: fingerprintOf(contentOf(post)),
      };
      return startAttempt(start, now)(post);
    }),
  ),
  attemptId.map((id) =>
    attempted('step', () => recordStep({ attemptId: id, step: 'container', networkId: '1' })),
  ),
  fc
    .tuple(fc.option(attemptId), minutes)
    .map(([id, at]) =>
      attempted('hold', (now) => hold({ attemptId: id, until: after(now, at), reason: 'rate_limited' })),
    ),
  attemptId.map((id) =>
    attempted('publish', () =>
      recordPublished({ attemptId: id, platformPostId: '1', platformPostUrl: null }),
    ),
  ),
  fc
    .tuple(fc.option(attemptId), fc.constantFrom(...FAILURE_CLASSES))
    .map(([id, kind]) =>
      attempted('fail', () => recordFailed({ attemptId: id, failure: past.aFailure({ class: kind }) })),
    ),
);

const removal = fc.constant(attempted('remove', () => remove(past.ada)));

/** Half of them leave a delivery in doubt, which is what most rules are about. */
const aKind = fc.oneof(fc.constant('unconfirmed' as const), fc.constantFrom(...FAILURE_CLASSES));

/** Tried one by one, a post is hardly ever due, sent and answered: these three follow each other. */
const delivery = fc
  .record({ by, id: attemptId, delivered: fc.boolean(), kind: aKind })
  .map(({ by: who, id, delivered, kind }) => [
    attempted('reschedule', (now) => reschedule(after(now, 5), who, now)),
    attempted('start', (now) => (post) => {
      const fingerprint = fingerprintOf(contentOf(post));
      return startAttempt({ attemptId: id, connectionId: past.connectionId, fingerprint }, now)(post);
    }),
    attempted('answer', () =>
      delivered
        ? recordPublished({ attemptId: id, platformPostId: '1', platformPostUrl: null })
        : recordFailed({ attemptId: id, failure: past.aFailure({ class: kind }) }),
    ),
  ]);

const alone = (one: Attempted) => [one];

/** Up to forty tries or deliveries; the publisher's are as frequent as people's, removals rare. */
export const someTries = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: people.map(alone) },
      { weight: 9, arbitrary: publisher.map(alone) },
      { weight: 8, arbitrary: delivery },
      { weight: 1, arbitrary: removal.map(alone) },
    ),
    { maxLength: 40, size: 'max' },
  )
  .map((tries) => tries.flat());

/** How a post may begin. */
export const aBeginning = fc
  .record({ by, blockers, at: fc.option(minutes), asked: fc.boolean() })
  .map(
    ({ by: who, blockers: found, at, asked }) =>
      (ids: { postId: string; brandId: string }, now: Instant) => {
        const scheduledAt = at === null || at <= 0 || (found.length > 0 && !asked) ? null : after(now, at);
        const post = {
          ...ids,
          platform: 'x' as Platform,
          content: past.aContent(),
          thread: null,
          blockers: found,
        };
        return (asked ? suggest : draft)({ ...post, scheduledAt, by: who }, now)(noPost);
      },
  );
