import { arrayOfJson, statement, type Transaction } from '#libs/database';
import type { AppendRequest, Expectation } from './append-request.js';
import type { AppendedRow, PreparedAppend } from './prepared-append.js';

/**
 * Appends to many streams, each under its own expectation. A stream whose head does not meet it returns no row.
 * Locks heads in the order of their ids, so that two batches wait for each other instead of deadlocking.
 * Returns with each event as `had_id` whether the transaction had its id before: `request` reads that before the first
 * lock or write assigns one, and the subquery keeps the planner from assigning it.
 * Parameters, one entry per stream: $1 streams, $2 stream types, $3 expectations (`none`, `exists`, `any`,
 * `exact`), $4 exact versions, $5 numbers of events, $6 metadata; one entry per event, stream by stream:
 * $7 index of the stream (1-based), $8 index among the stream's new events (1-based), $9 ids, $10 types,
 * $11 schema versions, $12 data.
 */
const APPEND_MANY = statement(
  'events_append_many',
  `WITH before AS MATERIALIZED (
     SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS had_id
   ), request AS MATERIALIZED (
     SELECT * FROM before, unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::int[], $6::text[]) WITH ORDINALITY
       AS request (stream, stream_type, expectation, exact, count, metadata, number)
   ), locked AS MATERIALIZED (
     SELECT stream FROM events.stream
     WHERE stream = ANY (ARRAY(SELECT stream FROM request))
     ORDER BY stream FOR NO KEY UPDATE
   ), inserted AS (
     INSERT INTO events.stream AS head (stream, stream_type, version, last_transaction_id)
     SELECT stream, stream_type, count, pg_current_xact_id() FROM request
     WHERE expectation = 'none' ORDER BY stream
     ON CONFLICT (stream) DO NOTHING
     RETURNING stream, version
   ), upserted AS (
     INSERT INTO events.stream AS head (stream, stream_type, version, last_transaction_id)
     SELECT stream, stream_type, count, pg_current_xact_id() FROM request
     WHERE expectation = 'any' ORDER BY stream
     ON CONFLICT (stream) DO UPDATE
       SET version = head.version + excluded.version, last_transaction_id = pg_current_xact_id()
       WHERE head.stream_type = excluded.stream_type AND head.last_transaction_id <= pg_current_xact_id()
     RETURNING stream, version
   ), updated AS (
     UPDATE events.stream AS head
     SET version = head.version + request.count, last_transaction_id = pg_current_xact_id()
     FROM request JOIN locked USING (stream)
     WHERE head.stream = request.stream AND head.stream_type = request.stream_type
       AND head.last_transaction_id <= (SELECT pg_current_xact_id())
       AND (request.expectation = 'exists' OR request.expectation = 'exact' AND head.version = request.exact)
     RETURNING head.stream, head.version
   ), head AS (
     SELECT * FROM inserted UNION ALL SELECT * FROM upserted UNION ALL SELECT * FROM updated
   )
   INSERT INTO events.event
     (transaction_id, stream, version, at, id, schema_version, stream_type, type, data, metadata)
   SELECT pg_current_xact_id(), head.stream, head.version - request.count + new.place,
     date_trunc('milliseconds', clock.now), new.id, new.schema_version, request.stream_type, new.type,
     new.data::jsonb, request.metadata::jsonb
   FROM (SELECT clock_timestamp() AS now OFFSET 0) AS clock,
     unnest($7::int[], $8::int[], $9::uuid[], $10::text[], $11::int[], $12::text[]) WITH ORDINALITY
       AS new (request, place, id, type, schema_version, data, number)
     JOIN request ON request.number = new.request
     JOIN head ON head.stream = request.stream
   ORDER BY new.number
   RETURNING stream, version, position, transaction_id, at, (SELECT had_id FROM before)`,
);

type Row = AppendedRow & { readonly stream: string };

/** @returns a row for each event of the appends whose expectation is met */
export async function runAppendMany(
  transaction: Transaction,
  appends: readonly PreparedAppend[],
): Promise<Row[]> {
  const requests = appends.map((append) => append.request);
  return transaction.query<Row>(APPEND_MANY, [
    requests.map((request) => request.stream),
    requests.map((request) => request.streamType),
    requests.map((request) => nameOf(request.expected)),
    requests.map((request) => (typeof request.expected === 'number' ? request.expected : null)),
    requests.map((request) => request.events.length),
    arrayOfJson(appends.map((append) => append.metadata)),
    appends.flatMap((append, index) => append.ids.map(() => index + 1)),
    appends.flatMap((append) => append.ids.map((_, place) => place + 1)),
    appends.flatMap((append) => append.ids),
    appends.flatMap((append) => append.types),
    appends.flatMap((append) => append.schemaVersions),
    arrayOfJson(appends.flatMap((append) => append.data)),
  ]);
}

/** The rows of each request, in the order of the requests. */
export function byRequest(requests: readonly AppendRequest[], rows: readonly Row[]): Row[][] {
  const byStream = Map.groupBy(rows, (row) => row.stream);
  return requests.map((request) => byStream.get(request.stream) ?? []);
}

function nameOf(expected: Expectation): string {
  return typeof expected === 'number' ? 'exact' : expected;
}

/** @throws RangeError */
export function validateBatch(requests: readonly AppendRequest[]): void {
  if (new Set(requests.map((request) => request.stream)).size !== requests.length) {
    throw new RangeError('A batch has at most one append per stream.');
  }
  if (requests.some((request) => request.events.length === 0))
    throw new RangeError('Each append of a batch needs at least one event.');
}
