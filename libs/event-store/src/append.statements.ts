import type { Statement } from '#libs/database';
import { statement } from '#libs/database';
import type { Expectation } from './append-request.js';
import type { StreamWrites } from './table-view.js';

/*
 * Per expectation one statement for one event, the common case, and one for several. It updates the head of the stream
 * under the expectation, then inserts the events in their order. No returned row: the expectation is not met. Parameters:
 * $1 stream, $2 stream type, $3 event ids, $4 types, $5 schema versions, $6 data (JSON texts), each a single value or
 * an array, $7 metadata (one JSON text), $8 the time or null for now, then the exact version for that expectation,
 * then the values of a view's rows if one is saved too.
 *
 * Readers follow (transaction id, position), so in one stream an event of a lower transaction id must never follow one
 * of a higher id: a head is updated only if the id of its last writer is not higher than the current one.
 */

/**
 * `had_id`: whether the transaction had its id before this statement. Read first, and in a CTE, because the planner assigns
 * the id when it estimates a condition on it.
 */
const OWN = `own AS MATERIALIZED (
    SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS had_id, pg_current_xact_id() AS id`;

const UNLOCKED = `${OWN}),`;

/**
 * Writers without an expected version wait for the stream before they get their transaction id. Otherwise a writer that
 * waits for the head would have a lower id than the writer before it. An advisory lock, because a row lock assigns the
 * id.
 */
const LOCKED = `${OWN}
    FROM (SELECT pg_advisory_xact_lock(hashtextextended($1::uuid::text, 0)) OFFSET 0) AS locked),`;

const HAD_ID = '(SELECT had_id FROM own)';

/** The difference between one event and several. */
interface Shape {
  readonly suffix: string;
  readonly count: string;
  readonly select: string;
}

const ONE: Shape = {
  suffix: '_one',
  count: '1',
  select: `SELECT head.last_transaction_id, $1::uuid, head.version,
       coalesce($8::timestamptz, date_trunc('milliseconds', clock_timestamp())), $3::uuid, $5::int,
       $2::text, $4::text, $6::jsonb, $7::jsonb
     FROM head`,
};

const SEVERAL: Shape = {
  suffix: '',
  count: 'cardinality($3::uuid[])',
  select: `SELECT head.last_transaction_id, $1::uuid, head.version - cardinality($3::uuid[]) + new.number,
       coalesce($8::timestamptz, date_trunc('milliseconds', clock.now)), new.id, new.schema_version, $2::text, new.type,
       new.data::jsonb, $7::jsonb
     FROM head,
       (SELECT clock_timestamp() AS now OFFSET 0) AS clock,
       unnest($3::uuid[], $4::text[], $5::int[], $6::text[]) WITH ORDINALITY
         AS new (id, type, schema_version, data, number)
     ORDER BY new.number`,
};

const insertHead = (count: string) =>
  `INSERT INTO events.stream AS head (stream, stream_type, version, last_transaction_id)
   SELECT $1::uuid, $2::text, ${count}, own.id FROM own`;

const updateHead = (count: string) =>
  `UPDATE events.stream AS head SET version = head.version + ${count}, last_transaction_id = own.id FROM own
   WHERE head.stream = $1::uuid AND head.stream_type = $2::text AND head.last_transaction_id <= own.id`;

const upsertHead = (count: string) =>
  `${insertHead(count)} ON CONFLICT (stream) DO UPDATE
   SET version = head.version + excluded.version, last_transaction_id = excluded.last_transaction_id
   WHERE head.stream_type = excluded.stream_type AND head.last_transaction_id <= excluded.last_transaction_id`;

type Head = (count: string) => string;

/** A view that the append saves, and its rows. */
export interface SavedView {
  readonly name: string;
  readonly writes: StreamWrites;
}

/** The statement for a number of events and the rows of a view. */
type StatementFor = (events: number, saved?: SavedView) => Statement;

function statementsOf(name: string, own: string, head: Head, viewParameter = 9): StatementFor {
  const [one, several] = [ONE, SEVERAL].map((shape): ((saved?: SavedView) => Statement) => {
    const named = `events_append_${name}${shape.suffix}`;
    const movedHead = `WITH ${own} head AS (${head(shape.count)} RETURNING head.version, head.last_transaction_id)`;
    const insert = `INSERT INTO events.event
         (transaction_id, stream, version, at, id, schema_version, stream_type, type, data, metadata)
       ${shape.select}
       RETURNING version, position, transaction_id, at`;
    const alone = statement(named, `${movedHead} ${insert}, ${HAD_ID}`);
    const byView = new Map<string, Statement>();
    return (saved) => {
      if (!saved) return alone;
      const key = `${named}_and_save_${saved.name}_${saved.writes.shape}`;
      const made =
        byView.get(key) ??
        statement(
          key,
          `${movedHead}, appended AS (${insert}), ${saved.writes.ctes(viewParameter)}
           SELECT version, position, transaction_id, at, ${HAD_ID} FROM appended`,
        );
      byView.set(key, made);
      return made;
    };
  }) as [(saved?: SavedView) => Statement, (saved?: SavedView) => Statement];
  return (events, saved) => (events === 1 ? one : several)(saved);
}

const toNone = statementsOf(
  'none',
  UNLOCKED,
  (count) => `${insertHead(count)} ON CONFLICT (stream) DO NOTHING`,
);

const toExisting = statementsOf('exists', LOCKED, updateHead);

const toVersion = statementsOf(
  'exact',
  UNLOCKED,
  (count) => `${updateHead(count)} AND head.version = $9::int`,
  10,
);

const toAny = statementsOf('any', LOCKED, upsertHead);

export function appendStatement(expected: Expectation, events: number, saved?: SavedView): Statement {
  if (expected === 'none') return toNone(events, saved);
  if (expected === 'exists') return toExisting(events, saved);
  if (expected === 'any') return toAny(events, saved);
  return toVersion(events, saved);
}
