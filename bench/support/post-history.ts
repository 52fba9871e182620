import type { Database } from '#libs/database';
import { METADATA } from './raw-insert.js';

/** The events of one post, as the posts feature writes them. */
export const EVENTS_PER_POST = 8;

const BRANDS = 20;
const LIVING_SIDE_BY_SIDE = 1_000;

const by = { type: 'user', id: '019a0000-0000-7000-8000-000000000003' };
const content = {
  text: 'An honest sentence about what the house has been building all summer, long enough to be a post.',
  title: null,
  mediaIds: [],
  link: null,
  target: {},
};
const edited = { type: 'PostEdited', data: { content, changed: ['text'], blockers: [], by } };
const attemptId = '019a0000-0000-7000-8000-000000000007';
const scheduledAt = '2026-12-24T18:00:00.000Z';
const LIFE = [
  { type: 'PostDrafted', data: { authorId: by.id, platform: 'x', content, thread: null, blockers: [] } },
  edited,
  { type: 'PostScheduled', data: { scheduledAt, by } },
  { type: 'PostRescheduled', data: { scheduledAt, previous: scheduledAt, by } },
  edited,
  { type: 'PostRescheduled', data: { scheduledAt, previous: scheduledAt, by } },
  {
    type: 'PublishAttemptStarted',
    data: { attemptId, connectionId: '019a0000-0000-7000-8000-000000000008', fingerprint: 'f'.repeat(64) },
  },
  {
    type: 'PostPublished',
    data: {
      attemptId,
      platformPostId: '1850000000000000001',
      platformPostUrl: 'https://x.com/a/status/1850000000000000001',
    },
  },
];

/** A log of posts that live side by side: the events of one are spread over it. `events` is rounded up to whole groups. */
export async function writePostHistory(database: Database, events: number): Promise<number> {
  const group = EVENTS_PER_POST * LIVING_SIDE_BY_SIDE;
  const total = Math.ceil(events / group) * group;
  await database.query(
    `WITH life AS (SELECT * FROM unnest($2::text[], $3::jsonb[]) WITH ORDINALITY AS life (type, data, version)),
     numbered AS (
       SELECT n, n / $4::int % ${EVENTS_PER_POST} + 1 AS version, n / ($4 * ${EVENTS_PER_POST}) * $4 + n % $4 AS post
       FROM generate_series(0, $1::int - 1) AS n
     ), placed AS (
       SELECT n, version, ('019a0000-0000-7000-9000-' || lpad(to_hex(post), 12, '0'))::uuid AS stream,
         '019a0000-0000-7000-a000-' || lpad(to_hex(post % ${BRANDS}), 12, '0') AS brand
       FROM numbered
     )
     INSERT INTO events.event
       (transaction_id, stream, version, at, id, schema_version, stream_type, type, data, metadata)
     SELECT pg_current_xact_id(), stream, version, timestamptz '2026-01-01' + n * interval '7 seconds',
       gen_random_uuid(), 1, 'post', life.type,
       life.data || jsonb_build_object('postId', stream, 'brandId', brand),
       $5::jsonb || jsonb_build_object('brandId', brand)
     FROM placed JOIN life USING (version) ORDER BY n`,
    [
      total,
      LIFE.map(({ type }) => type),
      LIFE.map(({ data }) => JSON.stringify(data)),
      LIVING_SIDE_BY_SIDE,
      JSON.stringify(METADATA),
    ],
  );
  await database.query(
    `INSERT INTO events.stream (stream, stream_type, version, last_transaction_id)
     SELECT stream, 'post', max(version), pg_current_xact_id() FROM events.event GROUP BY stream`,
  );
  await database.query('VACUUM ANALYZE events.event');
  return total;
}
