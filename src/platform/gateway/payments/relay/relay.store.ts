import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';

/** Longer than a delivery takes. */
const LEASE = `interval '60 seconds'`;
/** About three days in all: 5 s, 25 s, 2 min, 10 min, 52 min, 4 hours, then every 6 hours. */
const MAX_ATTEMPTS = 18;

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

/** $1 slug, $2 limit. An event whose process ends is due again after the lease. */
const CLAIM = statement(
  'gateway_claim_payment_events_with_refs',
  `UPDATE gateway.payment_event SET attempts = attempts + 1, due_at = clock_timestamp() + ${LEASE}
    WHERE id IN (SELECT id FROM gateway.payment_event
                  WHERE state = 'waiting' AND application = $1 AND due_at <= clock_timestamp()
                  ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
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
  SELECT ${COLUMNS}, last_outcome AS "lastOutcome", received_at AS "receivedAt" FROM gateway.payment_event
   WHERE state = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`;
const RESEND = `
  UPDATE gateway.payment_event SET state = 'waiting', attempts = 0, due_at = clock_timestamp()
   WHERE id = $1 AND state = 'dead' RETURNING id`;

/** `dead`: its application did not accept it. `unknown`: no application is known to own its object. */
export const UNDELIVERED = ['dead', 'unknown'] as const;
export type Undelivered = (typeof UNDELIVERED)[number];

export interface UndeliveredEvent extends Omit<DueEvent, 'applicationId' | 'application' | 'organizationId'> {
  readonly application: string | null;
  readonly organizationId: string | null;
  readonly lastOutcome: string | null;
  readonly receivedAt: Date;
}

/** The outbox of events. */
@Injectable()
export class RelayStore {
  constructor(private readonly database: Database) {}

  claim(application: string, limit: number): Promise<DueEvent[]> {
    return this.database.query<DueEvent>(CLAIM, [application, limit]);
  }

  /** Milliseconds until the next event of the application is due; Infinity without one. */
  async nextInMs(application: string): Promise<number> {
    const [next] = await this.database.query<{ ms: number | null }>(NEXT, [application]);
    return next?.ms ?? Infinity;
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
  undelivered(state: Undelivered, after: string | null, limit: number): Promise<UndeliveredEvent[]> {
    return this.database.query<UndeliveredEvent>(LIST, [state, after, limit]);
  }

  /** @returns false when no such event is dead */
  async resend(id: string): Promise<boolean> {
    return (await this.database.query(RESEND, [id])).length > 0;
  }
}
