import { statement, type Statement } from '#libs/database';

/** Rows have the members of RecordedEvent; `at` is text, to avoid a Date per event. */
const EVENT = `event.id, event.stream, event.stream_type AS "streamType", event.version, event.type,
  event.schema_version AS "schemaVersion", event.data, event.metadata,
  to_char(event.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at,
  event.position, event.transaction_id AS "transactionId"`;

const CURRENT_TIME = `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS now`;

const SETTLED = 'event.transaction_id < pg_snapshot_xmin(pg_current_snapshot())';

export const READ_NOW = statement('events_read_now', `SELECT ${CURRENT_TIME}`);

/** One row with nulls if the stream does not exist, so that the time is always returned. */
export const READ_STREAM = statement(
  'events_read_stream',
  `SELECT ${EVENT}, clock.now FROM (SELECT ${CURRENT_TIME}) AS clock
   LEFT JOIN events.event ON event.stream = $1::uuid ORDER BY event.version`,
);

/** As READ_STREAM, with the value of `query`, which returns one row and column about the stream $1. */
export const readStreamWith = (query: Statement): Statement =>
  statement(
    `events_read_stream_with_${query.name}`,
    `SELECT ${EVENT}, clock.now, clock.value FROM (SELECT ${CURRENT_TIME}, (${query.text}) AS value) AS clock
     LEFT JOIN events.event ON event.stream = $1::uuid ORDER BY event.version`,
  );

export const READ_STREAMS = statement(
  'events_read_streams',
  `SELECT ${EVENT}, clock.now FROM (SELECT ${CURRENT_TIME}) AS clock
   LEFT JOIN events.event ON event.stream = ANY ($1::uuid[]) ORDER BY event.stream, event.version`,
);

/**
 * Only events that no running transaction can still precede: a lower transaction id may commit later, a lower
 * position too.
 */
export const READ_ALL = statement(
  'events_read_all',
  `SELECT ${EVENT} FROM events.event
   WHERE (event.transaction_id, event.position) > ($1::xid8, $2::bigint) AND ${SETTLED}
   ORDER BY event.transaction_id, event.position LIMIT $3`,
);

/** The same up to and including a cursor that a reader has already reached. */
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
