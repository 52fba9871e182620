import type { Database } from '#libs/database';

/**
 * Renumbers the log after a logical restore (pg_dump, COPY) into another cluster, whose transaction ids are unrelated to
 * the stored ones: every event gets transaction id 0 and its rank in the old order as position, every checkpoint the
 * rank of its event. Idempotent. Stop all services first; otherwise it waits for their locks. Rewrites the whole table
 * in one transaction.
 * @returns the number of events.
 */
export async function renumberLog(database: Database): Promise<number> {
  return database.separateTransaction(async (transaction) => {
    await transaction.query(
      'LOCK TABLE events.stream, events.event, events.reaction IN ACCESS EXCLUSIVE MODE',
    );
    await transaction.query(`SET LOCAL events.maintenance = 'on'`);
    await transaction.query(MAP_CHECKPOINTS);
    const [{ events } = { events: 0 }] = await transaction.query<{ events: number }>(RENUMBER);
    await transaction.query(
      `UPDATE events.stream SET last_transaction_id = '0' WHERE last_transaction_id <> '0'`,
    );
    await transaction.query(`SELECT setval(pg_get_serial_sequence('events.event', 'position'), $1, $2)`, [
      Math.max(events, 1),
      events > 0,
    ]);
    return events;
  });
}

const MAP_CHECKPOINTS = `
  UPDATE events.reaction SET cursor_transaction_id = '0', lease_until = '-infinity', fence = fence + 1,
    unreadable_transaction_id = NULL, unreadable_position = NULL, unreadable_since = NULL, unreadable = NULL,
    cursor_position = (
      SELECT count(*) FROM events.event
      WHERE (transaction_id, position) <= (reaction.cursor_transaction_id, reaction.cursor_position))`;

/** Counts the ranked rows, not the updated ones: a second run updates none and still returns the size of the log. */
const RENUMBER = `
  WITH ranked AS MATERIALIZED (
    SELECT ctid, transaction_id, position, row_number() OVER (ORDER BY transaction_id, position) AS rank
    FROM events.event
  ), renumbered AS (
    UPDATE events.event SET transaction_id = '0', position = ranked.rank FROM ranked
    WHERE event.ctid = ranked.ctid AND (event.transaction_id, event.position) <> ('0'::xid8, ranked.rank)
  )
  SELECT count(*)::int AS events FROM ranked`;
