import { statement, type Statement } from '#libs/database';
import type { Expectation, HeldRow } from './append-request.js';
import type { StreamWrites } from './table-view.js';

/*
 * Per expectation one statement for one event, the common case, and one for several. It updates the head of the stream
 * under the expectation, then inserts the events in their order. No returned row: the expectation is not met. Parameters:
 * $1 stream, $2 stream type, $3 event ids, $4 types, $5 schema versions, $6 data (JSON texts), each a single value or
 * an array, $7 metadata (one JSON text), $8 the time or null for now, then the exact version for that expectation,
 * then the values of a view's rows if one is saved too, then those of a row that is held.
 *
 * Readers follow (transaction id, position), so in one stream an event of a lower transaction id must never follow one
 * of a higher id: a head is updated only if the id of its last writer is not higher than the current one.
 */

/**
 * `had_id`: whether the transaction had its id before this statement. Read first, and in a CTE, because the planner assigns
 * the id when it estimates a condition on it.
 */
const OWN = `AS MATERIALIZED (
    SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS had_id, pg_current_xact_id() AS id`;

const UNLOCKED = `${OWN}),`;

/**
 * Writers without an expected version wait for the stream before they get their transaction id. Otherwise a writer that
 * waits for the head would have a lower id than the writer before it. An advisory lock, because a row lock assigns the
 * id.
 */
const LOCKED = `${OWN}
    FROM (SELECT pg_advisory_xact_lock(hashtextextended($1::uuid::text, 0)) OFFSET 0) AS locked),`;

/**
 * `own` has a row only while the held row has these values. The lock waits for a concurrent writer of it and looks at its values
 * again (PostgreSQL manual, section 13.2.1). It assigns a transaction id, so `own` is computed before.
 */
const ownHolding = (own: string, { table, columns }: HeldRow, firstParameter: number) => {
  const equal = columns.map(
    ([column, type], index) => `held.${column} = $${firstParameter + index}::${type}`,
  );
  return `before ${own} own AS MATERIALIZED (
    SELECT before.* FROM before JOIN ${table} AS held ON ${equal.join(' AND ')} FOR SHARE OF held),`;
};

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

/** What an append does besides appending. */
export interface Additions {
  readonly saved?: SavedView;
  readonly held?: HeldRow;
}

/** The statement for a number of events and what else it does. */
type StatementFor = (events: number, additions: Additions) => Statement;

function statementsOf(name: string, own: string, head: Head, firstParameter = 9): StatementFor {
  const [one, several] = [ONE, SEVERAL].map((shape) => {
    const made = new Map<string, Statement>();
    const insert = `INSERT INTO events.event
         (transaction_id, stream, version, at, id, schema_version, stream_type, type, data, metadata)
       ${shape.select}
       RETURNING version, position, transaction_id, at`;
    return ({ saved, held }: Additions): Statement => {
      const andSave = saved ? `_and_save_${saved.name}_${saved.writes.shape}` : '';
      const key = `events_append_${name}${shape.suffix}${andSave}${held ? `_holding_${held.name}` : ''}`;
      const known = made.get(key);
      if (known) return known;
      const afterView = firstParameter + (saved?.writes.values.length ?? 0);
      const owned = held ? ownHolding(own, held, afterView) : `own ${own}`;
      const movedHead = `WITH ${owned} head AS (${head(shape.count)} RETURNING head.version, head.last_transaction_id)`;
      const text = saved
        ? `${movedHead}, appended AS (${insert}), ${saved.writes.ctes(firstParameter)}
           SELECT version, position, transaction_id, at, ${HAD_ID} FROM appended`
        : `${movedHead} ${insert}, ${HAD_ID}`;
      const added = statement(key, text);
      made.set(key, added);
      return added;
    };
  }) as [(additions: Additions) => Statement, (additions: Additions) => Statement];
  return (events, additions) => (events === 1 ? one : several)(additions);
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

export function appendStatement(expected: Expectation, events: number, additions: Additions = {}): Statement {
  if (expected === 'none') return toNone(events, additions);
  if (expected === 'exists') return toExisting(events, additions);
  if (expected === 'any') return toAny(events, additions);
  return toVersion(events, additions);
}
