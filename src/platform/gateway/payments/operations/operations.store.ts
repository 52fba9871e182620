import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import type { Attribution } from '../../callers/attribution.js';
import type { PaymentRefusal } from '../payments.errors.js';
import type { OperationKind } from './kinds.js';

/** Longer than two calls to the provider. */
const LEASE = `interval '60 seconds'`;
/**
 * Of an operation without a digest, which a replica of the former release may have called. A rotation has the time at which its
 * transaction began.
 */
const OF_SAME_KEY = `(key_digest IS NOT NULL OR NOT EXISTS (
    SELECT FROM gateway.credential c
     WHERE c.id = credential_id AND c.rotated_at > payment_operation.created_at - interval '1 minute'))`;
/** The provider keeps results of keys for at least 24 hours. Later, a repetition would be a second effect. */
const REPEATABLE = `(payment_operation.created_at > clock_timestamp() - interval '23 hours' AND ${OF_SAME_KEY})`;
const LIVE = `('running', 'unknown')`;

export type OperationState = 'running' | 'done' | 'failed' | 'unknown' | 'unresolved';

export interface Operation {
  readonly id: string;
  readonly applicationId: string;
  readonly application: string;
  readonly organizationId: string;
  readonly userId: string | null;
  readonly credentialId: string;
  readonly kind: string;
  /** The object that is changed; null: one is created. */
  readonly target: string | null;
  readonly request: object | null;
  readonly requestHash: string;
  readonly state: OperationState;
  readonly attempts: number;
  /** Of the key of the last call; null before the first one. */
  readonly keyDigest: string | null;
  /** Of that key; null: not known. */
  readonly account: string | null;
  readonly isDue: boolean;
  readonly isRepeatable: boolean;
  readonly result: object | null;
  readonly failure: PaymentRefusal | null;
  readonly objectId: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

const COLUMNS = `id, application_id AS "applicationId", application, organization_id AS "organizationId", user_id AS "userId",
  credential_id AS "credentialId", kind, target, request, request_hash AS "requestHash", state, attempts,
  key_digest AS "keyDigest", account,  due_at <= clock_timestamp() AS "isDue", ${REPEATABLE} AS "isRepeatable", result, failure, object_id AS "objectId",
  created_at AS "createdAt", finished_at AS "finishedAt"`;

const INSERT = statement(
  'gateway_insert_payment_operation',
  `INSERT INTO gateway.payment_operation
     (id, application_id, application, organization_id, user_id, credential_id, kind, target, request, request_hash,
      caller_key, due_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, clock_timestamp() + ${LEASE})
   ON CONFLICT (application_id, organization_id, caller_key) WHERE caller_key IS NOT NULL DO NOTHING
   RETURNING ${COLUMNS}`,
);
const OF_CALLER = `application_id = $1 AND organization_id = $2`;
const BY_KEY = statement(
  'gateway_payment_operation_by_key',
  `SELECT ${COLUMNS} FROM gateway.payment_operation WHERE ${OF_CALLER} AND caller_key = $3`,
);
const BY_ID = statement(
  'gateway_payment_operation_by_id',
  `SELECT ${COLUMNS} FROM gateway.payment_operation WHERE ${OF_CALLER} AND id = $3`,
);
const TAKE = statement(
  'gateway_take_payment_operation',
  `UPDATE gateway.payment_operation
      SET state = 'running', attempts = attempts + 1, due_at = clock_timestamp() + ${LEASE}
    WHERE id = $1 AND attempts = $2 AND ${REPEATABLE} AND request IS NOT NULL
      AND (state = 'unknown' OR (state = 'running' AND due_at <= clock_timestamp()))
   RETURNING ${COLUMNS}`,
);
const TAKE_DUE = `
  UPDATE gateway.payment_operation
     SET state = 'running', attempts = attempts + 1, due_at = clock_timestamp() + ${LEASE}
   WHERE id IN (SELECT id FROM gateway.payment_operation
                 WHERE state IN ${LIVE} AND due_at <= clock_timestamp() AND ${REPEATABLE}
                 ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING ${COLUMNS}`;
const GIVE_UP = `
  UPDATE gateway.payment_operation SET state = 'unresolved', request = NULL, finished_at = clock_timestamp()
   WHERE state IN ${LIVE} AND due_at <= clock_timestamp() AND NOT (${REPEATABLE})
  RETURNING id, kind`;
const DELETE_OLD = `
  DELETE FROM gateway.payment_operation
   WHERE id IN (SELECT id FROM gateway.payment_operation
                 WHERE created_at < now() - interval '30 days' AND state NOT IN ${LIVE} LIMIT 1000)`;
/** The last attempt only, and only while the operation is open: a result is stored once. */
const OPEN = `id = $1 AND attempts = $2 AND state = 'running'`;
export const FINISH = statement(
  'gateway_finish_payment_operation',
  `UPDATE gateway.payment_operation
      SET state = 'done', result = $3, object_id = $4, request = CASE WHEN $5 THEN request END,
          finished_at = clock_timestamp()
    WHERE ${OPEN} RETURNING id`,
);
const REFUSE = statement(
  'gateway_refuse_payment_operation',
  `UPDATE gateway.payment_operation
      SET state = 'failed', failure = $3, request = NULL, finished_at = clock_timestamp() WHERE ${OPEN}`,
);
/** Not after the lease: another process may have the operation. The first attempt sends what no key has sent. */
const ENTER = statement(
  'gateway_enter_payment_operation',
  `UPDATE gateway.payment_operation SET key_digest = $3, account = coalesce($4, account)
    WHERE ${OPEN} AND due_at > clock_timestamp() AND (attempts = 1 OR ${OF_SAME_KEY}) RETURNING id`,
);
const ABANDON = statement(
  'gateway_abandon_payment_operation',
  `UPDATE gateway.payment_operation SET state = 'unresolved', request = NULL, finished_at = clock_timestamp() WHERE ${OPEN}`,
);
const POSTPONE = statement(
  'gateway_postpone_payment_operation',
  `UPDATE gateway.payment_operation
      SET state = 'unknown', due_at = clock_timestamp() + least(7200, 5 * 2 ^ least(attempts, 16)) * interval '1 second'
    WHERE ${OPEN}`,
);
/** Only the first attempt: an earlier one can have had the effect. */
const FORGET = statement(
  'gateway_forget_payment_operation',
  `DELETE FROM gateway.payment_operation WHERE ${OPEN} AND attempts = 1`,
);

export interface NewOperation {
  readonly attribution: Attribution;
  readonly credentialId: string;
  readonly kind: OperationKind;
  readonly target: string | null;
  readonly request: object;
  readonly requestHash: string;
  readonly callerKey: string | null;
}

/** Operations as rows: recorded before the provider is called, so that none is lost with the process. */
@Injectable()
export class OperationsStore {
  constructor(private readonly database: Database) {}

  /** null: the caller's key is taken. */
  async begin(given: NewOperation): Promise<Operation | null> {
    const { attribution: by, credentialId, kind, target, request, requestHash, callerKey } = given;
    const [row] = await this.database.query<Operation>(INSERT, [
      randomUUIDv7(),
      by.applicationId,
      by.application,
      by.organizationId,
      by.userId,
      credentialId,
      kind,
      target,
      JSON.stringify(request),
      requestHash,
      callerKey,
    ]);
    return row ?? null;
  }

  async byCallerKey({ applicationId, organizationId }: Attribution, key: string): Promise<Operation | null> {
    const [row] = await this.database.query<Operation>(BY_KEY, [applicationId, organizationId, key]);
    return row ?? null;
  }

  async byId({ applicationId, organizationId }: Attribution, id: string): Promise<Operation | null> {
    const [row] = await this.database.query<Operation>(BY_ID, [applicationId, organizationId, id]);
    return row ?? null;
  }

  /** null: another process has it, it is settled, or its key is too old to be repeated. */
  async take({ id, attempts }: Operation): Promise<Operation | null> {
    const [row] = await this.database.query<Operation>(TAKE, [id, attempts]);
    return row ?? null;
  }

  /** Those whose process ended, and those whose outcome is unknown. */
  takeDue(limit: number): Promise<Operation[]> {
    return this.database.query<Operation>(TAKE_DUE, [limit]);
  }

  /** Those that can no longer be repeated safely. */
  giveUp(): Promise<{ id: string; kind: string }[]> {
    return this.database.query(GIVE_UP);
  }

  async deleteOld(): Promise<void> {
    await this.database.query(DELETE_OLD);
  }

  async refuse({ id, attempts }: Operation, refusal: PaymentRefusal): Promise<void> {
    await this.database.query(REFUSE, [id, attempts, JSON.stringify(refusal)]);
  }

  /**
   * Stores whose key the next call uses, before the call.
   * @param account null: not known
   * @returns false: this attempt must not call
   */
  async enter({ id, attempts }: Operation, keyDigest: string, account: string | null): Promise<boolean> {
    return (await this.database.query(ENTER, [id, attempts, keyDigest, account])).length > 0;
  }

  /** It must never be repeated. */
  async abandon({ id, attempts }: Operation): Promise<void> {
    await this.database.query(ABANDON, [id, attempts]);
  }

  async postpone({ id, attempts }: Operation): Promise<void> {
    await this.database.query(POSTPONE, [id, attempts]);
  }

  /** The provider certainly did nothing: the caller's key is free again. Otherwise the operation is repeated later. */
  async forget(operation: Operation): Promise<void> {
    await this.database.query(FORGET, [operation.id, operation.attempts]);
    await this.postpone(operation);
  }
}
