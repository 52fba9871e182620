import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import type { RecipientState } from '../email.types.js';
import type { Capacity } from './capacity.js';
import type { OutboxMessage, RecipientResult, RepeatableCall } from './delivery.types.js';

/** The state of a claim is in the message: `due_at` is the end of the lease, `attempt_id` the fencing token. */
const COLUMNS = `m.id, m.organization_id AS "organizationId", m.provider, m.is_platform AS "isPlatform",
  m.from_name AS "fromName", m.from_address AS "fromAddress", m.reply_to AS "replyTo", m.subject, m.text, m.html, m.headers,
  m.message_id AS "messageId", m.created_at AS "createdAt", m.attempts, m.attempt_id AS "attemptId", m.data_at AS "dataAt",
  m.call_key AS "callKey", m.credential_id AS "credentialId", m.credential_digest AS "credentialDigest"`;

/**
 * $1 maximum number of messages, $2 length of the lease in milliseconds, $3 to $5 organizations of which messages are sent now, whether
 * with credentials of the platform, and how many, $6 the most of one with its own, $7 the most with credentials of the platform, $8 of
 * organizations, $9 organizations that used time, the one with the most at the end. Visits each organization with open messages once for
 * each kind of credential (loose index scan) and takes the same share of each, what is sent now included, and of equal ones first those
 * that used the least time. So neither many messages of an organization nor its slow mail server delay the others.
 */
const CLAIM = statement(
  'gateway_claim_email',
  `WITH RECURSIVE lanes AS (
     (SELECT organization_id, is_platform FROM gateway.email_message WHERE due_at IS NOT NULL
       ORDER BY organization_id, is_platform LIMIT 1)
     UNION ALL
     SELECT next.organization_id, next.is_platform FROM lanes l, LATERAL (
       SELECT m.organization_id, m.is_platform FROM gateway.email_message m
        WHERE m.due_at IS NOT NULL AND (m.organization_id, m.is_platform) > (l.organization_id, l.is_platform)
        ORDER BY m.organization_id, m.is_platform LIMIT 1) next
   ), ranked AS (
     SELECT due.id, due.rank + coalesce(busy.messages, 0) AS rank, coalesce(used.turn, 0) AS turn, due.due_at, l.is_platform
       FROM lanes l
       LEFT JOIN unnest($3::uuid[], $4::boolean[], $5::int[]) AS busy (organization_id, is_platform, messages)
         ON busy.organization_id = l.organization_id AND busy.is_platform = l.is_platform
       LEFT JOIN unnest($9::uuid[]) WITH ORDINALITY AS used (organization_id, turn)
         ON used.organization_id = l.organization_id,
       LATERAL (
         SELECT m.id, m.due_at, row_number() OVER (ORDER BY m.due_at) AS rank FROM (
           SELECT id, due_at FROM gateway.email_message
            WHERE organization_id = l.organization_id AND is_platform = l.is_platform AND due_at <= clock_timestamp()
            ORDER BY due_at
            LIMIT CASE WHEN l.is_platform THEN $1::int ELSE greatest(0, $6::int - coalesce(busy.messages, 0)) END) m) due
   ), shared AS (
     SELECT id, rank, turn, due_at, row_number() OVER (PARTITION BY is_platform ORDER BY rank, turn, due_at) AS nth,
         is_platform
       FROM ranked
   ), picked AS (
     SELECT m.id FROM gateway.email_message m
      WHERE m.id IN (SELECT id FROM shared WHERE nth <= CASE WHEN is_platform THEN $7::int ELSE $8::int END
                      ORDER BY rank, turn, due_at LIMIT $1::int)
        AND m.due_at <= clock_timestamp()
      FOR UPDATE SKIP LOCKED
   )
   UPDATE gateway.email_message m
      SET due_at = clock_timestamp() + $2::float8 * interval '1 millisecond', attempt_id = gen_random_uuid()
     FROM picked WHERE m.id = picked.id
   RETURNING ${COLUMNS}, (
     SELECT jsonb_agg(jsonb_build_object('position', r.position, 'kind', r.kind, 'name', r.name, 'address', r.address,
              'state', r.state, 'isSuppressed', EXISTS (
                SELECT 1 FROM gateway.email_suppression s WHERE s.address = lower(r.address)
                   AND (s.organization_id = m.organization_id OR (s.organization_id IS NULL AND m.is_platform))))
              ORDER BY r.position)
       FROM gateway.email_recipient r WHERE r.message_id = m.id) AS recipients`,
);

/** $1 message, $2 attempt, $3 milliseconds. No row: the claim is lost. */
const RENEW = statement(
  'gateway_renew_email',
  `UPDATE gateway.email_message SET due_at = clock_timestamp() + $3::float8 * interval '1 millisecond'
    WHERE id = $1 AND attempt_id = $2 AND due_at > clock_timestamp() RETURNING id`,
);

/** $1 message, $2 attempt, $3 positions, $4 idempotency key, $5 credential, $6 digest of its key. No row: the claim is lost. */
const BEGIN_DATA = statement(
  'gateway_begin_email_data',
  `WITH mine AS (
     UPDATE gateway.email_message SET data_at = clock_timestamp(), call_key = $4, credential_id = $5, credential_digest = $6
      WHERE id = $1 AND attempt_id = $2 AND due_at > clock_timestamp() RETURNING id
   ), marked AS (
     UPDATE gateway.email_recipient r SET state = 'sending', attempt_id = $2, updated_at = clock_timestamp()
       FROM mine WHERE r.message_id = mine.id AND r.position = ANY ($3::int[])
   )
   SELECT id FROM mine`,
);

/**
 * $1 message. Before RECORD in its transaction: a statement sees what was committed before it began, so RECORD alone would wait for
 * the lock of a resolution and then miss the recipients that it queued.
 */
const LOCK = statement('gateway_lock_email', `SELECT id FROM gateway.email_message WHERE id = $1 FOR UPDATE`);

/**
 * $1 message, $2 attempt, $3 positions, $4 states, $5 codes, $6 details, $7 provider's id, $8 milliseconds until the next attempt.
 * Ends the claim. A definite result also counts when the claim was taken over meanwhile and its recipients are uncertain.
 * Repeating it has no effect.
 */
const RECORD = statement(
  'gateway_record_email',
  `WITH given AS (
     SELECT * FROM unnest($3::int[], $4::text[], $5::text[], $6::text[]) AS g (position, state, code, detail)
   ), held AS (
     SELECT id FROM gateway.email_message WHERE id = $1 AND attempt_id = $2 FOR UPDATE
   ), changed AS (
     UPDATE gateway.email_recipient r
        SET state = given.state, code = given.code, detail = given.detail, updated_at = clock_timestamp()
       FROM given
      WHERE r.message_id = $1 AND r.position = given.position AND (
        (EXISTS (SELECT 1 FROM held) AND r.state IN ('queued', 'sending'))
        OR (r.attempt_id = $2 AND r.state IN ('sending', 'uncertain') AND given.state IN ('sent', 'refused')))
      RETURNING r.position, r.state, r.code, r.detail
   ), ended AS (
     UPDATE gateway.email_message m
        SET attempt_id = NULL, data_at = NULL, call_key = NULL, credential_digest = NULL, attempts = m.attempts + 1,
            provider_id = coalesce($7, m.provider_id),
            due_at = CASE WHEN EXISTS (
                SELECT 1 FROM gateway.email_recipient r LEFT JOIN given USING (position)
                 WHERE r.message_id = m.id AND coalesce(given.state, r.state) IN ('queued', 'sending'))
              THEN clock_timestamp() + $8::float8 * interval '1 millisecond' END
       FROM held WHERE m.id = held.id
   ), late AS (
     UPDATE gateway.email_message m SET provider_id = $7
      WHERE m.id = $1 AND m.provider_id IS NULL AND $7::text IS NOT NULL AND NOT EXISTS (SELECT 1 FROM held)
   ), told AS (
     INSERT INTO gateway.email_event (message_id, position, state, code, detail, source)
     SELECT $1, position, state, code, detail, 'outbox' FROM changed
   )
   SELECT position, state FROM changed`,
);

/** $1 message, $2 attempt, $3 milliseconds. Keeps the beginning of the call and its key, for a repeat. */
const POSTPONE = statement(
  'gateway_postpone_email',
  `UPDATE gateway.email_message
      SET attempt_id = NULL, attempts = attempts + 1, due_at = clock_timestamp() + $3::float8 * interval '1 millisecond'
    WHERE id = $1 AND attempt_id = $2 RETURNING id`,
);

export const OUTBOX_STATE = `
  SELECT count(*)::float8 AS open,
         coalesce(max(extract(epoch FROM clock_timestamp() - created_at)), 0)::float8 AS "oldestSeconds",
         (SELECT count(*)::float8 FROM gateway.email_recipient WHERE state = 'uncertain') AS uncertain
    FROM gateway.email_message WHERE due_at IS NOT NULL`;

type Held = Pick<OutboxMessage, 'id' | 'attemptId'>;

export interface ChangedRecipient {
  readonly position: number;
  readonly state: RecipientState;
}

/** The rows of the outbox. A claim is a lease with a fencing token; every change names the token. */
@Injectable()
export class OutboxStore {
  constructor(private readonly database: Database) {}

  /** @param used organizations that used time, the one with the most at the end */
  claim(
    { total, platform, own, ofOne, busy }: Capacity,
    leaseMs: number,
    used: readonly string[] = [],
  ): Promise<OutboxMessage[]> {
    const organizations = busy.map(({ organizationId }) => organizationId);
    const kinds = busy.map(({ isPlatform }) => isPlatform);
    const messages = busy.map((one) => one.messages);
    const values = [total, leaseMs, organizations, kinds, messages, ofOne, platform, own, used];
    return this.database.query<OutboxMessage>(CLAIM, values);
  }

  /** @returns false when the claim is lost */
  async renew({ id, attemptId }: Held, leaseMs: number): Promise<boolean> {
    return (await this.database.query(RENEW, [id, attemptId, leaseMs])).length > 0;
  }

  /** @returns false when the claim is lost */
  async beginData(
    { id, attemptId }: Held,
    positions: readonly number[],
    call: RepeatableCall | null,
    credentialId: string,
  ): Promise<boolean> {
    const { idempotencyKey = null, credentialDigest = null } = call ?? {};
    const values = [id, attemptId, positions, idempotencyKey, credentialId, credentialDigest];
    return (await this.database.query(BEGIN_DATA, values)).length > 0;
  }

  /** Ends the claim. @param delayMs until the next attempt for recipients that stay queued */
  record(
    { id, attemptId }: Held,
    results: readonly RecipientResult[],
    providerId: string | null,
    delayMs: number,
  ): Promise<ChangedRecipient[]> {
    const values = [
      id,
      attemptId,
      results.map(({ position }) => position),
      results.map(({ state }) => state),
      results.map(({ code }) => code),
      results.map(({ detail }) => detail?.slice(0, MAX_DETAIL) ?? null),
      providerId,
      delayMs,
    ];
    return this.database.transaction(async (transaction) => {
      await transaction.query(LOCK, [id]);
      return transaction.query<ChangedRecipient>(RECORD, values);
    });
  }

  /** Ends the claim without a result, for a repeat of the same call. */
  async postpone({ id, attemptId }: Held, delayMs: number): Promise<void> {
    await this.database.query(POSTPONE, [id, attemptId, delayMs]);
  }
}

/** More than a reply of a mail server has. */
const MAX_DETAIL = 500;
