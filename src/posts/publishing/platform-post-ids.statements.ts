import { statement } from '#libs/database';

/** $1 the network's id. Until the transaction ends, no other resolution assigns this id to a post. */
export const LOCK_PLATFORM_POST_ID = statement(
  'posts_one_gives_an_id',
  `SELECT pg_advisory_xact_lock(hashtextextended('posts.platform post id ' || $1, 0))`,
);

/**
 * $1 the network's id, $2 a post: another post of the same platform with this id, deleted posts included. Ids are unique
 * per network, not per account.
 */
export const OTHER_POST_WITH_PLATFORM_ID = statement(
  'posts_given_to_another',
  `SELECT given.stream AS "postId" FROM events.event AS given
   JOIN events.event AS theirs ON theirs.stream = given.stream AND theirs.version = 1
   JOIN events.event AS ours ON ours.stream = $2 AND ours.version = 1
   WHERE given.type IN ('PostPublished', 'DeliveryResolved') AND given.data->>'platformPostId' = $1
     AND given.stream <> $2 AND theirs.data->>'platform' = ours.data->>'platform'
   LIMIT 1`,
);
