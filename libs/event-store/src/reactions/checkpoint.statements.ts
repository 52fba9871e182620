import { statement } from '#libs/database';

const UNTIL = (milliseconds: string) =>
  `clock_timestamp() + ${milliseconds}::float8 * interval '1 millisecond'`;

export const REGISTER = statement(
  'events_reaction_register',
  'INSERT INTO events.reaction (name) VALUES ($1) ON CONFLICT (name) DO NOTHING',
);

export const RESUME = statement(
  'events_reaction_resume',
  `UPDATE events.reaction SET state = 'running', error = NULL, updated_at = clock_timestamp()
   WHERE name = $1 AND state = 'stopped'`,
);

/**
 * $1 name, $2 owner, $3 milliseconds, $4 and $5 cursor of the event that this replica cannot read, or null: it claims the
 * reaction again after another replica has handled that event.
 */
export const CLAIM = statement(
  'events_reaction_claim',
  `UPDATE events.reaction SET owner = $2::uuid, lease_until = ${UNTIL('$3')}, fence = fence + 1,
     updated_at = clock_timestamp()
   WHERE name = $1 AND state = 'running' AND (lease_until <= clock_timestamp() OR owner = $2::uuid)
     AND ($4::xid8 IS NULL OR (cursor_transaction_id, cursor_position) >= ($4::xid8, $5::bigint))
   RETURNING fence, cursor_transaction_id::text AS "transactionId", cursor_position::text AS position`,
);

/** $1 name, $2 fence, $3 milliseconds. */
export const RENEW = statement(
  'events_reaction_renew',
  `UPDATE events.reaction SET lease_until = ${UNTIL('$3')} WHERE name = $1 AND fence = $2::bigint RETURNING 1`,
);

/**
 * $1 name, $2 fence, $3 search_path. The lock allows another replica to take over (the checkpoint is then refused), but a
 * replacement of the rows waits for this batch, and this batch for a replacement.
 */
export const BEGIN_BATCH = statement(
  'events_reaction_begin_batch',
  `SELECT set_config('search_path', $3, true)
   FROM (SELECT FROM events.reaction WHERE name = $1 AND fence = $2::bigint FOR KEY SHARE) AS mine`,
);

/** $1 name, $2 fence, $3 and $4 cursor, $5 milliseconds. */
export const CHECKPOINT = statement(
  'events_reaction_checkpoint',
  `UPDATE events.reaction SET cursor_transaction_id = $3::xid8, cursor_position = $4::bigint,
     lease_until = ${UNTIL('$5')}, updated_at = clock_timestamp()
   WHERE name = $1 AND fence = $2::bigint RETURNING 1`,
);

/** $1 name, $2 fence, $3 error text. */
export const STOP = statement(
  'events_reaction_stop',
  `UPDATE events.reaction SET state = 'stopped', error = $3, lease_until = '-infinity', updated_at = clock_timestamp()
   WHERE name = $1 AND fence = $2::bigint`,
);

/** $1 name, $2 fence, $3 and $4 cursor of the event, $5 error text. */
export const YIELD = statement(
  'events_reaction_yield',
  `UPDATE events.reaction SET lease_until = '-infinity', unreadable = $5, updated_at = clock_timestamp(),
     unreadable_since = CASE
       WHEN (unreadable_transaction_id, unreadable_position) IS NOT DISTINCT FROM ($3::xid8, $4::bigint)
       THEN unreadable_since ELSE clock_timestamp() END,
     unreadable_transaction_id = $3::xid8, unreadable_position = $4::bigint
   WHERE name = $1 AND fence = $2::bigint AND state = 'running'`,
);

export const RELEASE = statement(
  'events_reaction_release',
  `UPDATE events.reaction SET lease_until = '-infinity' WHERE name = $1 AND fence = $2::bigint AND state = 'running'`,
);
