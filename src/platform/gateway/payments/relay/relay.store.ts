import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import type { Undelivered, UndeliveredEventDto } from '../dto/operations.dto.js';

/** Longer than a delivery takes. */
const LEASE = `interval '60 seconds'`;
/** About three days in all: 5 s, 25 s, 2 min, 10 min, 52 min, 4 hours, then every 6 hours. */
const MAX_ATTEMPTS = 18;

/** How many events may be claimed, and whose turn it is. */
export interface RelayTurn {
  readonly limit: number;
  /** Organizations of events that are sent now, one for each event. */
  readonly busy: readonly string[];
  /** Organizations that used time, the one with the most at the end. */
  readonly used: readonly string[];
  /** The most events of one organization, those that are sent now included. */
  readonly ofOne: number;
}

export interface DueEvent {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly objectType: string;
  readonly objectId: string | null;
  /** With those it belongs to. */
  readonly refs: readonly string[];
  readonly applicationId: string;
  readonly application: string;
  readonly organizationId: string;
  readonly attempts: number;
}

const COLUMNS = `id, event_id AS "eventId", type, occurred_at AS "occurredAt", object_type AS "objectType",
  object_id AS "objectId", refs, application_id AS "applicationId", application, organization_id AS "organizationId", attempts`;

/**
 * Visits each organization with waiting events once (loose index scan) and takes the same share of each, what is sent now included, and of
 * equal ones first those that used the least time. An event whose process ends is due again after the lease.
 * $1 slug, $2 limit, $3 organizations of events that are sent now, one for each event, $4 organizations that used time, the one with
 * the most at the end, $5 the most of one organization
 */
const CLAIM = statement(
  'gateway_claim_payment_events_in_turn',
  `WITH RECURSIVE owner AS (
     (SELECT organization_id FROM gateway.payment_event WHERE state = 'waiting' AND application = $1
       ORDER BY organization_id LIMIT 1)
     UNION ALL
     SELECT next.organization_id FROM owner o, LATERAL (
       SELECT e.organization_id FROM gateway.payment_event e
        WHERE e.state = 'waiting' AND e.application = $1 AND e.organization_id > o.organization_id
        ORDER BY e.organization_id LIMIT 1) next
   ), busy AS (
     SELECT organization_id, count(*) AS events FROM unnest($3::uuid[]) AS b (organization_id) GROUP BY organization_id
   ), ranked AS (
     SELECT due.id, due.due_at, due.nth + coalesce(b.events, 0) AS rank, coalesce(used.turn, 0) AS turn
       FROM owner o LEFT JOIN busy b USING (organization_id)
       LEFT JOIN unnest($4::uuid[]) WITH ORDINALITY AS used (organization_id, turn) USING (organization_id), LATERAL (
         SELECT f.id, f.due_at, row_number() OVER (ORDER BY f.due_at) AS nth FROM (
           SELECT e.id, e.due_at FROM gateway.payment_event e
            WHERE e.state = 'waiting' AND e.application = $1 AND e.organization_id = o.organization_id
              AND e.due_at <= clock_timestamp()
            ORDER BY e.due_at LIMIT greatest(0, least($2::int, $5::int - coalesce(b.events, 0)))) f) due
   )
   UPDATE gateway.payment_event SET attempts = attempts + 1, due_at = clock_timestamp() + ${LEASE}
    WHERE id IN (SELECT e.id FROM ranked r JOIN gateway.payment_event e USING (id)
                  WHERE e.state = 'waiting' AND e.due_at <= clock_timestamp()
                  ORDER BY r.rank, r.turn, r.due_at LIMIT $2 FOR UPDATE OF e SKIP LOCKED)
   RETURNING ${COLUMNS}`,
);
const NEXT = statement(
  'gateway_next_payment_event_of_application',
  `SELECT (extract(epoch FROM min(due_at) - clock_timestamp()) * 1000)::float8 AS ms FROM gateway.payment_event
    WHERE state = 'waiting' AND application = $1`,
);
/** The last claim only: a slow earlier delivery does not change what a later one stored. */
const CLAIMED = `id = $1 AND attempts = $2 AND state = 'waiting'`;
const DELIVERED = statement(
  'gateway_payment_event_delivered',
  `UPDATE gateway.payment_event SET state = 'delivered', last_outcome = $3, delivered_at = clock_timestamp()
    WHERE ${CLAIMED}`,
);
const POSTPONED = statement(
  'gateway_payment_event_postponed',
  `UPDATE gateway.payment_event
      SET state = CASE WHEN attempts >= ${MAX_ATTEMPTS} THEN 'dead' ELSE 'waiting' END, last_outcome = $3,
          due_at = clock_timestamp() + least(21600, 5 ^ least(attempts, 7)) * interval '1 second'
    WHERE ${CLAIMED} RETURNING state`,
);
/** $1 state, $2 after, $3 count */
const LIST = `
  SELECT id, event_id AS "eventId", type, object_id AS "objectId", application, organization_id AS "organizationId", attempts,
         last_outcome AS "lastOutcome", occurred_at AS "occurredAt", received_at AS "receivedAt"
    FROM gateway.payment_event
   WHERE state = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`;
const RESEND = `
  UPDATE gateway.payment_event SET state = 'waiting', attempts = 0, due_at = clock_timestamp()
   WHERE id = $1 AND state = 'dead' RETURNING id`;

/** The outbox of events. */
@Injectable()
export class RelayStore {
  constructor(private readonly database: Database) {}

  claim(application: string, { limit, busy, used, ofOne }: RelayTurn): Promise<DueEvent[]> {
    return this.database.query<DueEvent>(CLAIM, [application, limit, busy, used, ofOne]);
  }

  /** Milliseconds until the next event of the application is due; Infinity without one, or when due ones wait for a place. */
  async nextInMs(application: string): Promise<number> {
    const [next] = await this.database.query<{ ms: number | null }>(NEXT, [application]);
    return next?.ms && next.ms > 0 ? next.ms : Infinity;
  }

  async delivered({ id, attempts }: DueEvent, outcome: string): Promise<void> {
    await this.database.query(DELIVERED, [id, attempts, outcome]);
  }

  /** @returns whether it is given up */
  async postponed({ id, attempts }: DueEvent, outcome: string): Promise<boolean> {
    const [row] = await this.database.query<{ state: string }>(POSTPONED, [id, attempts, outcome]);
    return row?.state === 'dead';
  }

  /** Newest first. */
  undelivered(state: Undelivered, after: string | null, limit: number): Promise<UndeliveredEventDto[]> {
    return this.database.query<UndeliveredEventDto>(LIST, [state, after, limit]);
  }

  /** @returns false when no such event is dead */
  async resend(id: string): Promise<boolean> {
    return (await this.database.query(RESEND, [id])).length > 0;
  }
}
