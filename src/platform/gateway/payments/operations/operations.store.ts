import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { Attribution } from '../../access/attribution.js';
import { NoPaymentCredential, type PaymentRefusal } from '../payments.errors.js';
import type { OperationKind } from './kinds.js';
import {
  ABANDON,
  BY_ID,
  BY_KEY,
  COMPLETE,
  DELETE_OLD,
  DISCARD_UNSENT,
  ENTER,
  FORGET,
  GIVE_UP,
  HOLD_CREDENTIAL,
  INSERT,
  OPEN_ON_TARGET,
  POSTPONE,
  REFUSE,
  TAKE,
  TAKE_DUE,
} from './operations.sql.js';

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

  async byCallerKey({ applicationId, organizationId }: Attribution, key: string): Promise<Operation | null> {
    const [row] = await this.database.query<Operation>(BY_KEY, [applicationId, organizationId, key]);
    return row ?? null;
  }

  async byId({ applicationId, organizationId }: Attribution, id: string): Promise<Operation | null> {
    const [row] = await this.database.query<Operation>(BY_ID, [applicationId, organizationId, id]);
    return row ?? null;
  }

  /** The one on the target whose effect is possible and not seen. @returns its id */
  async openOnTarget({
    attribution,
    target,
  }: Pick<NewOperation, 'attribution' | 'target'>): Promise<string | null> {
    const values = [attribution.applicationId, attribution.organizationId, target];
    const [row] = await this.database.query<{ id: string }>(OPEN_ON_TARGET, values);
    return row?.id ?? null;
  }

  /** What to send, before the first call. null: the lease is over. */
  async complete({ id, attempts }: Operation, request: object): Promise<Operation | null> {
    const [row] = await this.database.query<Operation>(COMPLETE, [id, attempts, JSON.stringify(request)]);
    return row ?? null;
  }

  /** Frees keys and targets of operations that ended before it was known what to send. */
  async discardUnsent(): Promise<void> {
    await this.database.query(DISCARD_UNSENT);
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
