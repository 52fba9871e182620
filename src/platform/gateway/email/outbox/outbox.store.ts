import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { RecipientState } from '../email.types.js';
import type { OutboxMessage, RecipientResult, RepeatableCall } from './delivery.types.js';
import type { Capacity } from './capacity.js';
import { BEGIN_DATA, CLAIM, LOCK, POSTPONE, RECORD, RENEW } from './outbox.sql.js';

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
