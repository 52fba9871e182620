import type { Statement } from '#libs/database';
import { statement } from '#libs/database';
import type { Expectation } from './append-request.js';
import type { StreamWrites } from './table-view.js';

/*
 * Per expectation one statement for one event, the common case, and one for several: the head of the stream moves
 * under the expectation, then the events go in, in their order. No row back: the head did not move. Parameters:
 * $1 stream, $2 stream type, $3 event ids, $4 types, $5 schema versions, $6 data (JSON texts), each a single value or
 * an array, $7 metadata (one JSON text), $8 the time or null for now, then the exact version where there is one,
 * then the values of a view's rows where one is saved too.
 *
 * Readers follow (transaction id, position), so an event of an earlier transaction id must never follow one of a
 * later id in the same stream: a head moves only when its last writer's id is not later than the own one.
 */

/** What differs between one event and several. */
interface Shape {
  readonly suffix: string;
  readonly count: string;
  readonly select: (me: string) => string;
}

const ONE: Shape = {
  suffix: '_one',
  count: '1',
  select: (me) =>
    `SELECT ${me}, $1::uuid, head.version,
       coalesce($8::timestamptz, date_trunc('milliseconds', clock_timestamp())), $3::uuid, $5::int,
       $2::text, $4::text, $6::jsonb, $7::jsonb
     FROM head`,
};

const SEVERAL: Shape = {
  suffix: '',
  count: 'cardinality($3::uuid[])',
  select: (me) =>
    `SELECT ${me}, $1::uuid, head.version - cardinality($3::uuid[]) + new.number,
       coalesce($8::timestamptz, date_trunc('milliseconds', clock.now)), new.id, new.schema_version, $2::text, new.type,
       new.data::jsonb, $7::jsonb
     FROM head,
       (SELECT clock_timestamp() AS now OFFSET 0) AS clock,
       unnest($3::uuid[], $4::text[], $5::int[], $6::text[]) WITH ORDINALITY
         AS new (id, type, schema_version, data, number)
     ORDER BY new.number`,
};

/** Asking for the own id gives the transaction one. */
const AT_ONCE = { me: 'pg_current_xact_id()', first: '' };

/**
 * Writers that do not care for the version queue for the stream before they get their id; with the id first, whoever
 * is overtaken while waiting for the head would be out of order. Advisory, for locking a row needs the id already;
 * and in a CTE, because the planner would ask for the id while planning.
 */
const IN_TURN = {
  me: '(SELECT id FROM me)',
  first: `me AS MATERIALIZED (
    SELECT pg_current_xact_id() AS id
    FROM (SELECT pg_advisory_xact_lock(hashtextextended($1::uuid::text, 0)) OFFSET 0) AS turn),`,
};

const make = (me: string, count: string) =>
  `INSERT INTO events.stream AS head (stream, stream_type, version, last_transaction_id)
   SELECT $1::uuid, $2::text, ${count}, ${me}`;

const move = (me: string, count: string) =>
  `SET version = head.version + ${count}, last_transaction_id = ${me}`;

const mine = (me: string) => `head.stream_type = $2::text AND head.last_transaction_id <= ${me}`;

const update = (me: string, count: string) =>
  `UPDATE events.stream AS head ${move(me, count)} WHERE head.stream = $1::uuid AND ${mine(me)}`;

type Head = (me: string, count: string) => string;

/** A view that is saved with the events, and what of it. */
export interface SavedView {
  readonly name: string;
  readonly writes: StreamWrites;
}

/** The statement for so many events, and for the rows of that view. */
type Append = (events: number, saved?: SavedView) => Statement;

function append(name: string, turn: typeof AT_ONCE, head: Head, firstOfView = 9): Append {
  const [one, several] = [ONE, SEVERAL].map((shape): ((saved?: SavedView) => Statement) => {
    const named = `events_append_${name}${shape.suffix}`;
    const moved = `WITH ${turn.first} head AS (${head(turn.me, shape.count)} RETURNING version)`;
    const insert = `INSERT INTO events.event
         (transaction_id, stream, version, at, id, schema_version, stream_type, type, data, metadata)
       ${shape.select(turn.me)}
       RETURNING version, position, transaction_id, at`;
    const alone = statement(named, `${moved} ${insert}`);
    const withView = new Map<string, Statement>();
    return (saved) => {
      if (!saved) return alone;
      const key = `${named}_and_save_${saved.name}_${saved.writes.shape}`;
      const made =
        withView.get(key) ??
        statement(
          key,
          `${moved}, appended AS (${insert}), ${saved.writes.ctes(firstOfView)}
           SELECT version, position, transaction_id, at FROM appended`,
        );
      withView.set(key, made);
      return made;
    };
  }) as [(saved?: SavedView) => Statement, (saved?: SavedView) => Statement];
  return (events, saved) => (events === 1 ? one : several)(saved);
}

const toNone = append('none', AT_ONCE, (me, count) => `${make(me, count)} ON CONFLICT (stream) DO NOTHING`);

const toExisting = append('exists', IN_TURN, update);

const toVersion = append(
  'exact',
  AT_ONCE,
  (me, count) => `${update(me, count)} AND head.version = $9::int`,
  10,
);

const toAny = append(
  'any',
  IN_TURN,
  (me, count) => `${make(me, count)} ON CONFLICT (stream) DO UPDATE ${move(me, count)} WHERE ${mine(me)}`,
);

export function appendStatement(expected: Expectation, events: number, saved?: SavedView): Statement {
  if (expected === 'none') return toNone(events, saved);
  if (expected === 'exists') return toExisting(events, saved);
  if (expected === 'any') return toAny(events, saved);
  return toVersion(events, saved);
}
