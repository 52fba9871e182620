import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Executor, statement, type Statement } from '#libs/database';
import type { Attribution } from '../../access/attribution.js';
import type { PaymentOperationDto } from '../dto/operations.dto.js';
import { NoPaymentCredential, type PaymentRefusal } from '../payments.errors.js';
import type { OperationKind } from './kinds.js';

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
  /** null: it has ended, or it is not known yet what to send. Such an operation was never sent. */
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

export interface NewOperation {
  readonly attribution: Attribution;
  readonly credentialId: string;
  readonly kind: OperationKind;
  readonly target: string | null;
  /** null: what it is follows with `complete`. */
  readonly request: object | null;
  readonly requestHash: string;
  readonly callerKey: string | null;
}

/** Longer than two calls to the provider. */
const LEASE = `interval '60 seconds'`;
/** The provider keeps results of keys for at least 24 hours. Later, a repetition would be a second effect. */
const REPEATABLE = `payment_operation.created_at > clock_timestamp() - interval '23 hours'`;
const LIVE = `('running', 'unknown')`;

const COLUMNS = `id, application_id AS "applicationId", application, organization_id AS "organizationId", user_id AS "userId",
  credential_id AS "credentialId", kind, target, request, request_hash AS "requestHash", state, attempts,
  key_digest AS "keyDigest", account, due_at <= clock_timestamp() AS "isDue", ${REPEATABLE} AS "isRepeatable", result, failure, object_id AS "objectId",
  created_at AS "createdAt", finished_at AS "finishedAt"`;

/** Its effect is still possible and not seen. */
const OPEN = `state IN ${LIVE} AND object_id IS NULL`;
/** Until the operation is stored, its credential cannot be deleted: a deletion locks the row first, and then looks for operations. */
const HOLD_CREDENTIAL = statement(
  'gateway_hold_payment_credential',
  `SELECT id FROM gateway.credential WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE`,
);
/**
 * An object is changed by one operation at a time, whichever credential of its account is used: a repetition of an older one must not
 * overwrite a newer one.
 */
const INSERT = statement(
  'gateway_insert_exclusive_payment_operation_of_target',
  `INSERT INTO gateway.payment_operation
     (id, application_id, application, organization_id, user_id, credential_id, kind, target, request, request_hash,
      caller_key, due_at, is_exclusive)
   SELECT $1::uuid, $2::uuid, $3::text, $4::uuid, $5::uuid, $6::uuid, $7::text, $8::text, $9::jsonb, $10::text, $11::text, clock_timestamp() + ${LEASE},
          $8::text IS NOT NULL
    WHERE NOT EXISTS (SELECT FROM gateway.payment_operation
                       WHERE application_id = $2::uuid AND organization_id = $4::uuid AND target = $8::text
                         AND ${OPEN})
   ON CONFLICT DO NOTHING
   RETURNING ${COLUMNS}`,
);
const OF_CALLER = `application_id = $1 AND organization_id = $2`;
const BY_KEY = statement(
  'gateway_payment_operation_by_key',
  `SELECT ${COLUMNS} FROM gateway.payment_operation WHERE ${OF_CALLER} AND caller_key = $3`,
);
/** As its caller sees it. */
const SHOWN = statement(
  'gateway_shown_payment_operation',
  `SELECT id, kind, state, object_id AS "objectId", failure->>'code' AS "failureCode", created_at AS "createdAt",
          finished_at AS "finishedAt" FROM gateway.payment_operation WHERE ${OF_CALLER} AND id = $3`,
);
const OPEN_ON_TARGET = statement(
  'gateway_open_payment_operation_of_target',
  `SELECT id FROM gateway.payment_operation
    WHERE ${OF_CALLER} AND target = $3 AND ${OPEN} ORDER BY created_at LIMIT 1`,
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
                 WHERE state IN ${LIVE} AND due_at <= clock_timestamp() AND request IS NOT NULL AND ${REPEATABLE}
                 ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING ${COLUMNS}`;
/** Those whose process ended before it knew what to send: nothing was sent. */
const DISCARD_UNSENT = statement(
  'gateway_discard_unsent_payment_operations',
  `DELETE FROM gateway.payment_operation
    WHERE state IN ${LIVE} AND request IS NULL AND due_at <= clock_timestamp() RETURNING id`,
);
const GIVE_UP = `
  UPDATE gateway.payment_operation SET state = 'unresolved', request = NULL, finished_at = clock_timestamp()
   WHERE state IN ${LIVE} AND due_at <= clock_timestamp() AND NOT (${REPEATABLE})
  RETURNING id, kind`;
const DELETE_OLD = `
  DELETE FROM gateway.payment_operation
   WHERE id IN (SELECT id FROM gateway.payment_operation
                 WHERE created_at < now() - interval '30 days' AND state NOT IN ${LIVE} LIMIT 1000)`;
/** The last attempt only, and only while the operation is open: a result is stored once. */
const LAST_ATTEMPT = `id = $1 AND attempts = $2 AND state = 'running'`;
const FINISH = statement(
  'gateway_finish_payment_operation',
  `UPDATE gateway.payment_operation
      SET state = 'done', result = $3, object_id = $4, request = CASE WHEN $5 THEN request END,
          finished_at = clock_timestamp()
    WHERE ${LAST_ATTEMPT} RETURNING id`,
);
const REFUSE = statement(
  'gateway_refuse_payment_operation',
  `UPDATE gateway.payment_operation
      SET state = 'failed', failure = $3, request = NULL, finished_at = clock_timestamp() WHERE ${LAST_ATTEMPT}`,
);
/** Before the first call, within the lease. */
const COMPLETE = statement(
  'gateway_complete_payment_operation',
  `UPDATE gateway.payment_operation SET request = $3, due_at = clock_timestamp() + ${LEASE}
    WHERE ${LAST_ATTEMPT} AND due_at > clock_timestamp() RETURNING ${COLUMNS}`,
);
/** Not after the lease: another process may have the operation. */
const ENTER = statement(
  'gateway_enter_payment_operation',
  `UPDATE gateway.payment_operation SET key_digest = $3, account = coalesce($4, account)
    WHERE ${LAST_ATTEMPT} AND due_at > clock_timestamp() RETURNING id`,
);
const ABANDON = statement(
  'gateway_abandon_payment_operation',
  `UPDATE gateway.payment_operation SET state = 'unresolved', request = NULL, finished_at = clock_timestamp() WHERE ${LAST_ATTEMPT}`,
);
const POSTPONE = statement(
  'gateway_postpone_payment_operation',
  `UPDATE gateway.payment_operation
      SET state = 'unknown', due_at = clock_timestamp() + least(7200, 5 * 2 ^ least(attempts, 16)) * interval '1 second'
    WHERE ${LAST_ATTEMPT}`,
);
/** Only the first attempt: an earlier one can have had the effect. */
const FORGET = statement(
  'gateway_forget_payment_operation',
  `DELETE FROM gateway.payment_operation WHERE ${LAST_ATTEMPT} AND attempts = 1`,
);

/** Operations as rows: recorded before the provider is called, so that none is lost with the process. */
@Injectable()
export class OperationsStore {
  constructor(private readonly database: Database) {}

  /** null: the caller's key is taken, or another operation on the target is open. @throws NoPaymentCredential when it was deleted */
  begin(given: NewOperation): Promise<Operation | null> {
    const { attribution: by, credentialId, kind, target, request, requestHash, callerKey } = given;
    const values = [
      randomUUIDv7(),
      by.applicationId,
      by.application,
      by.organizationId,
      by.userId,
      credentialId,
      kind,
      target,
      request && JSON.stringify(request),
      requestHash,
      callerKey,
    ];
    return this.database.transaction(async (transaction) => {
      const held = await transaction.query(HOLD_CREDENTIAL, [credentialId]);
      if (held.length === 0) throw new NoPaymentCredential();
      const [row] = await transaction.query<Operation>(INSERT, values);
      return row ?? null;
    });
  }

  byCallerKey({ applicationId, organizationId }: Attribution, key: string): Promise<Operation | null> {
    return this.one(BY_KEY, [applicationId, organizationId, key]);
  }

  async shown(
    { applicationId, organizationId }: Attribution,
    id: string,
  ): Promise<PaymentOperationDto | undefined> {
    const values = [applicationId, organizationId, id];
    return (await this.database.query<PaymentOperationDto>(SHOWN, values))[0];
  }

  /** The one on the target whose effect is possible and not seen. @returns its id */
  async openOnTarget({ attribution, target }: NewOperation): Promise<string | null> {
    const values = [attribution.applicationId, attribution.organizationId, target];
    const [row] = await this.database.query<{ id: string }>(OPEN_ON_TARGET, values);
    return row?.id ?? null;
  }

  /** What to send, before the first call. null: the lease is over. */
  complete({ id, attempts }: Operation, request: object): Promise<Operation | null> {
    return this.one(COMPLETE, [id, attempts, JSON.stringify(request)]);
  }

  /** Frees keys and targets of operations that ended before it was known what to send. */
  async discardUnsent(): Promise<void> {
    await this.database.query(DISCARD_UNSENT);
  }

  /** null: another process has it, it is settled, or its key is too old to be repeated. */
  take({ id, attempts }: Operation): Promise<Operation | null> {
    return this.one(TAKE, [id, attempts]);
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

  /** @param result null: it is secret, and a repetition asks the provider again. @returns whether this attempt ended it */
  async finish(
    executor: Executor,
    { id, attempts }: Operation,
    objectId: string,
    result: object | null,
  ): Promise<boolean> {
    const values = [id, attempts, result && JSON.stringify(result), objectId, result === null];
    return (await executor.query(FINISH, values)).length > 0;
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

  private async one(sql: Statement, values: readonly unknown[]): Promise<Operation | null> {
    const [row] = await this.database.query<Operation>(sql, values);
    return row ?? null;
  }
}
