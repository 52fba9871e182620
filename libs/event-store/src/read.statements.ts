import type { Statement } from '#libs/database';
import { statement } from '#libs/database';

/** Rows come out in the shape of RecordedEvent; `at` as text, so that no Date is made for every event. */
const EVENT = `event.id, event.stream, event.stream_type AS "streamType", event.version, event.type,
  event.schema_version AS "schemaVersion", event.data, event.metadata,
  to_char(event.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at,
  event.position, event.transaction_id AS "transactionId"`;

const NOW = `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS now`;

const SETTLED = 'event.transaction_id < pg_snapshot_xmin(pg_current_snapshot())';

export const READ_NOW = statement('events_read_now', `SELECT ${NOW}`);

/** One row with nulls when there is no such stream, so that the time is always answered. */
export const READ_STREAM = statement(
  'events_read_stream',
  `SELECT ${EVENT}, clock.now FROM (SELECT ${NOW}) AS clock
   LEFT JOIN events.event ON event.stream = $1::uuid ORDER BY event.version`,
);

/** The same with one more value: a query of one row and column, about the stream $1. */
export const readStreamBeside = (beside: Statement): Statement =>
  statement(
    `events_read_stream_beside_${beside.name}`,
    `SELECT ${EVENT}, clock.now, clock.beside FROM (SELECT ${NOW}, (${beside.text}) AS beside) AS clock
     LEFT JOIN events.event ON event.stream = $1::uuid ORDER BY event.version`,
  );

export const READ_STREAMS = statement(
  'events_read_streams',
  `SELECT ${EVENT}, clock.now FROM (SELECT ${NOW}) AS clock
   LEFT JOIN events.event ON event.stream = ANY ($1::uuid[]) ORDER BY event.stream, event.version`,
);

/**
 * Only what no running transaction can still come before: a lower transaction id may commit later, a lower
 * position too.
 */
export const READ_ALL = statement(
  'events_read_all',
  `SELECT ${EVENT} FROM events.event
   WHERE (event.transaction_id, event.position) > ($1::xid8, $2::bigint) AND ${SETTLED}
   ORDER BY event.transaction_id, event.position LIMIT $3`,
);

/** The same up to and including a place that some reader has reached already. */
export const READ_ALL_UP_TO = statement(
  'events_read_all_up_to',
  `SELECT ${EVENT} FROM events.event
   WHERE (event.transaction_id, event.position) > ($1::xid8, $2::bigint)
     AND (event.transaction_id, event.position) <= ($4::xid8, $5::bigint)
   ORDER BY event.transaction_id, event.position LIMIT $3`,
);

export const READ_SETTLED_END = statement(
  'events_read_settled_end',
  `SELECT transaction_id AS "transactionId", position FROM events.event WHERE ${SETTLED}
   ORDER BY transaction_id DESC, position DESC LIMIT 1`,
);

export const READ_HEADS = statement(
  'events_read_heads',
  `SELECT stream, stream_type, version FROM events.stream WHERE stream = ANY ($1::uuid[])`,
);
