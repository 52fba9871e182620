import { statement } from '#libs/database';

/** A published post does not change any more: its last update is when it became published. */
const COLUMNS = `p.post_id AS "postId", p.brand_id AS "brandId", b.organization_id AS "organizationId", p.platform,
  p.author_id AS "authorId", p.target, before.id AS "beforeId", before.status AS "beforeStatus",
  before.platform_post_id AS "beforeNetworkId", CASE before.status WHEN 'published' THEN before.details->>'updatedAt' END AS "beforePublishedSince"`;
const tables = (publication: string) => `${publication} p JOIN brands.brand_owner b ON b.id = p.brand_id
  LEFT JOIN posts.post_view before ON p.thread_position > 1 AND before.brand_id = p.brand_id
    AND before.thread_id = p.thread_id AND before.thread_position = p.thread_position - 1`;
/** The conditions of two indexes, one of which has each waiting row: posts that wait for no other, later parts of threads. */
export const [FIRST, LATER] = [
  'p.attempt_id IS NULL AND coalesce(p.thread_position, 1) = 1',
  'p.attempt_id IS NULL AND p.thread_position > 1',
];
const PUBLISHED_BEFORE = `SELECT FROM posts.post_view before
    WHERE before.brand_id = p.brand_id AND before.thread_id = p.thread_id AND before.thread_position = p.thread_position - 1
      AND before.status = 'published' AND before.platform_post_id IS NOT NULL LIMIT 1`;
/** Later parts whose predecessor is published; read part by part, oldest first, so that a limit ends it early. */
const LATER_READY = `posts.publication p CROSS JOIN LATERAL (${PUBLISHED_BEFORE}) ready WHERE ${LATER} AND p.due_at <= now()`;

/**
 * Not of a route (brand, platform, author, target) on which an attempt began at most $5 milliseconds ago: its account is
 * held. NOT IN, because PostgreSQL hashes its subquery once and keeps reading the due posts in the order of the index.
 */
const NOT_BEING_SENT = `(p.brand_id, p.platform, p.author_id, p.target) NOT IN (
    SELECT brand_id, platform, author_id, target FROM posts.publication
    WHERE attempt_id IS NOT NULL AND attempt_started_at > now() - make_interval(secs => $5::float8 / 1000))`;
/** Not of an organization of $10 on the network at the same place of $9. */
const NOT_OF_FULL = `(p.platform, p.brand_id) NOT IN (
    SELECT fully.platform, b.id FROM unnest($9::text[], $10::uuid[]) fully (platform, organization_id)
    JOIN brands.brand_owner b ON b.organization_id = fully.organization_id)`;

/** The first network by name after the one before that has a post of `which`; read by an index that begins with the network. */
const nextNetwork = (which: string) =>
  `(SELECT min(p.platform) FROM posts.publication p WHERE ${which} AND p.platform > network.platform)`;
/** Not those of $4, nor on a route that is being sent on, nor of an organization that is left out. $2: at most so many; null: all. */
const OLDEST_OF_NETWORK = `AND p.platform = network.platform AND p.post_id <> ALL ($4::uuid[]) AND ${NOT_BEING_SENT}
         AND ${NOT_OF_FULL}
         ORDER BY p.due_at, p.post_id LIMIT $2`;

/**
 * Of each network the oldest due post of each route (brand, platform, author, target), so that neither a route nor a network
 * with thousands of due posts hides others. $1: at most so many routes of a network, after the first $6. $2: among so many of its
 * oldest due posts only, and as many of its oldest later parts whose predecessor is published, which keeps it cheap when
 * ten thousand are due at once; null: among all of them. $3: later parts that fell due at most so many milliseconds ago; null:
 * whenever that was. $4: posts that are left out. $5: see NOT_BEING_SENT. $7: networks that are left out. $8: only these; null: all.
 * $9, $10: see NOT_OF_FULL.
 */
export const DUE = statement(
  'posts_due_for_publishing',
  `WITH RECURSIVE network (platform) AS (
     SELECT '' UNION ALL
     SELECT least(${nextNetwork(FIRST)}, ${nextNetwork(LATER)}) FROM network WHERE network.platform IS NOT NULL
   ), due AS (
     SELECT route.* FROM network CROSS JOIN LATERAL (
       WITH firsts AS MATERIALIZED (
         SELECT p.* FROM posts.publication p WHERE ${FIRST} AND p.due_at <= now() ${OLDEST_OF_NETWORK}
       ), later AS MATERIALIZED (
         SELECT p.* FROM ${LATER_READY}
           AND p.due_at > coalesce(now() - make_interval(secs => $3::float8 / 1000), '-infinity') ${OLDEST_OF_NETWORK}
       ), first AS (
         SELECT DISTINCT ON (p.brand_id, p.author_id, p.target) p.* FROM (TABLE firsts UNION ALL TABLE later) p
         ORDER BY p.brand_id, p.author_id, p.target, p.due_at, p.post_id
       )
       SELECT first.*, count(*) OVER () > $6::int + $1::int
         OR greatest((SELECT count(*) FROM firsts), (SELECT count(*) FROM later)) >= $2 AS has_more
       FROM first ORDER BY first.due_at, first.post_id LIMIT $1 OFFSET $6
     ) route WHERE network.platform <> ALL ($7::text[]) AND ($8::text[] IS NULL OR network.platform = ANY ($8::text[]))
   )
   SELECT ${COLUMNS}, coalesce(p.has_more, false) AS "hasMore" FROM ${tables('due')} ORDER BY p.due_at, p.post_id`,
);
/** The due posts of the same routes as the posts of $1 that wait for no other post. $3: posts that are left out. */
export const DUE_LIKE = statement(
  'posts_due_like',
  `SELECT ${COLUMNS} FROM ${tables('posts.publication')}
   JOIN (SELECT DISTINCT brand_id, platform, author_id, target FROM posts.publication WHERE post_id = ANY ($1::uuid[])) route
     ON route.brand_id = p.brand_id AND route.platform = p.platform AND route.author_id = p.author_id AND route.target = p.target
   WHERE ${FIRST} AND p.due_at <= now() AND p.post_id <> ALL ($3::uuid[])
   ORDER BY p.due_at, p.post_id LIMIT $2`,
);
/** $1: milliseconds after their time from which posts are too late; parts of threads count from another time. $3: posts that are left out. */
export const LATE = statement(
  'posts_late_for_publishing',
  `SELECT ${COLUMNS} FROM ${tables('posts.publication')}
   WHERE ${FIRST} AND p.due_at < now() - make_interval(secs => $1::float8 / 1000) AND p.post_id <> ALL ($3::uuid[])
   ORDER BY p.due_at, p.post_id LIMIT $2`,
);
/** Posts whose time has come and that wait for their account or network, by id after $1. $3: posts that are left out. */
export const HELD = statement(
  'posts_held_from_publishing',
  `SELECT ${COLUMNS} FROM ${tables('posts.publication')}
   WHERE p.attempt_id IS NULL AND p.held_attempt_id IS NULL AND p.held_until > now() AND p.scheduled_at <= now()
     AND ($1::uuid IS NULL OR p.post_id > $1) AND p.post_id <> ALL ($3::uuid[])
   ORDER BY p.post_id LIMIT $2`,
);
const nextOf = (which: string) =>
  `(SELECT min(p.due_at) FROM posts.publication p WHERE ${which} AND p.due_at > now())`;
export const NEXT = statement(
  'posts_next_due',
  `SELECT extract(epoch FROM least(${nextOf(FIRST)}, ${nextOf(LATER)}) - clock_timestamp())::float8 * 1000 AS "inMs"`,
);
export const UNSETTLED = statement(
  'posts_unsettled_attempts',
  `SELECT ${COLUMNS}, p.attempt_id AS "attemptId", p.attempt_connection_id AS "connectionId"
   FROM ${tables('posts.publication')}
   WHERE p.attempt_id IS NOT NULL
     AND p.attempt_started_at < now() - make_interval(secs => $1::float8 / 1000)
     AND p.attempt_id <> ALL ($3::uuid[]) AND p.post_id <> ALL ($4::uuid[])
   ORDER BY p.attempt_started_at, p.post_id LIMIT $2 OFFSET $5`,
);
/** $1 at most so many; $2 attempts, $3 posts that are left out. */
export const CHECKS = statement(
  'posts_due_checks',
  `SELECT ${COLUMNS}, p.attempt_id AS "attemptId", p.attempt_connection_id AS "connectionId"
   FROM ${tables('posts.publication')}
   WHERE p.attempt_check_at <= now() AND p.attempt_id <> ALL ($2::uuid[]) AND p.post_id <> ALL ($3::uuid[])
   ORDER BY p.attempt_check_at, p.post_id LIMIT $1`,
);
/**
 * $1 at most so many posts, the oldest, and looks at so many later parts, the newest: those that wait behind a part that failed are due
 * for long.
 */
export const COUNTS = statement(
  'posts_due_counts',
  `SELECT count(*)::int AS due, count(*) FILTER (WHERE p.due_at < now() - interval '1 minute')::int AS late
   FROM ((SELECT p.due_at FROM posts.publication p WHERE ${FIRST} AND p.due_at <= now() ORDER BY p.due_at LIMIT $1)
     UNION ALL SELECT p.due_at FROM (
       SELECT * FROM posts.publication p WHERE ${LATER} AND p.due_at <= now() ORDER BY p.due_at DESC LIMIT $1) p
       CROSS JOIN LATERAL (${PUBLISHED_BEFORE}) ready) p`,
);
