import { randomUUIDv7 } from 'node:crypto';
import type { Platform } from '#libs/content';
import type { Database } from '#libs/database';
import { postAggregate } from '../../../src/posts/domain/evolve.js';
import type { PostEvent } from '../../../src/posts/domain/post.events.js';
import { postProjection } from '../../../src/posts/views/post.projection.js';
import { createMany } from '../create-many.js';
import { METADATA } from '../raw-insert.js';

const AUTHOR = { type: 'user', id: '019a0000-0000-7000-8000-000000000003' } as const;
const SUGGESTER = { type: 'service', id: '019a0000-0000-7000-8000-000000000004' } as const;
const attemptId = '019a0000-0000-7000-8000-000000000007';
const connectionId = '019a0000-0000-7000-8000-000000000008';
const X = 'x' as Platform;
const fingerprint = 'f'.repeat(64);

export const STATES = [
  ...(['draft', 'suggested', 'proposed', 'needs-time', 'rejected', 'scheduled'] as const),
  ...(['published', 'failed', 'unconfirmed'] as const),
];
export type PostState = (typeof STATES)[number];

/** The events of one new post of this brand in that state. @param scheduledAt its time, also a proposed one */
function historyOf(
  state: PostState,
  of: { readonly postId: string; readonly brandId: string },
  scheduledAt: string,
): PostEvent[] {
  const content = { text: `Post ${of.postId}`, title: null, mediaIds: [], link: null, target: {} };
  const written = { ...of, platform: X, content, thread: null, blockers: [] };
  const drafted: PostEvent = { type: 'PostDrafted', data: { ...written, authorId: AUTHOR.id } };
  const suggested = (proposedTime: string | null): PostEvent => ({
    type: 'PostSuggested',
    data: { ...written, authorId: SUGGESTER.id, by: SUGGESTER, proposedTime },
  });
  const scheduled: PostEvent[] = [
    drafted,
    { type: 'PostScheduled', data: { ...of, scheduledAt, by: AUTHOR } },
  ];
  const sent: PostEvent[] = [
    ...scheduled,
    { type: 'PublishAttemptStarted', data: { ...of, attemptId, connectionId, fingerprint } },
  ];
  const failed = (failureClass: 'permanent' | 'unconfirmed'): PostEvent => ({
    type: 'PostPublishFailed',
    data: {
      ...of,
      attemptId,
      failure: {
        ...{ code: 'network_refused', class: failureClass, networkCode: '403' },
        ...{ message: 'The network refused it.', nextStep: 'Edit it, then retry.' },
      },
    },
  });
  const published = { attemptId, platformPostId: of.postId, platformPostUrl: null };
  const decided = { ...of, by: AUTHOR, reason: null };
  const histories: Readonly<Record<PostState, PostEvent[]>> = {
    draft: [drafted],
    suggested: [suggested(null)],
    proposed: [suggested(scheduledAt)],
    'needs-time': [suggested(null), { type: 'PostApproved', data: { ...decided, fingerprint } }],
    rejected: [suggested(null), { type: 'PostRejected', data: decided }],
    scheduled,
    published: [...sent, { type: 'PostPublished', data: { ...of, ...published } }],
    failed: [...sent, failed('permanent')],
    unconfirmed: [...sent, failed('unconfirmed')],
  };
  return histories[state];
}

/** A post as commands would leave it. @returns its id */
export async function createPostInState(
  database: Database,
  brandId: string,
  state: PostState,
  scheduledAt: string,
): Promise<string> {
  const id = randomUUIDv7();
  const events = historyOf(state, { postId: id, brandId }, scheduledAt);
  const creation = { id, events, metadata: { ...METADATA, brandId } };
  await createMany(database, { aggregate: postAggregate, view: postProjection }, [creation]);
  return id;
}
