import type { Database, Transaction } from '#libs/database';
import type { Cursor } from '../cursor.js';
import {
  BEGIN_BATCH,
  CHECKPOINT,
  CLAIM,
  STOP,
  REGISTER,
  RELEASE,
  RENEW,
  RESUME,
  YIELD,
} from './checkpoint.statements.js';

/** Another replica has taken over; the batch of this one must be rolled back. */
export class LeaseIsLost extends Error {
  constructor(reaction: string) {
    super(`Another replica took over ${reaction}.`);
    this.name = 'LeaseIsLost';
  }
}

/** A claim on one reaction, valid while its fence is the newest. */
export interface CheckpointClaim {
  readonly fence: string;
  readonly cursor: Cursor;
}

/** The stored row of a reaction: cursor, lease and state. */
export class Checkpoint {
  constructor(
    private readonly database: Database,
    private readonly name: string,
    private readonly owner: string,
    private readonly leaseMs: number,
  ) {}

  /** Inserts the row if it is missing, and resumes a stopped reaction. */
  async register(): Promise<void> {
    await this.database.query(REGISTER, [this.name]);
    await this.database.query(RESUME, [this.name]);
  }

  /**
   * @param unreadable cursor of the event that this replica cannot read
   * @returns undefined while another replica holds it, it is stopped, or its cursor is before that event
   */
  async claim(unreadable?: Cursor): Promise<CheckpointClaim | undefined> {
    const [row] = await this.database.query<Cursor & { fence: string }>(CLAIM, [
      this.name,
      this.owner,
      this.leaseMs,
      unreadable?.transactionId ?? null,
      unreadable?.position ?? null,
    ]);
    return row && { fence: row.fence, cursor: { transactionId: row.transactionId, position: row.position } };
  }

  /** @throws LeaseIsLost */
  async renew(fence: string): Promise<void> {
    this.requireFence(await this.database.query(RENEW, [this.name, fence, this.leaseMs]));
  }

  /** @throws LeaseIsLost */
  async begin(transaction: Transaction, fence: string, searchPath: string): Promise<void> {
    this.requireFence(await transaction.query(BEGIN_BATCH, [this.name, fence, searchPath]));
  }

  /** @throws LeaseIsLost */
  async advance(transaction: Transaction, fence: string, to: Cursor): Promise<void> {
    const values = [this.name, fence, to.transactionId, to.position, this.leaseMs];
    this.requireFence(await transaction.query(CHECKPOINT, values));
  }

  async stop(fence: string, error: string): Promise<void> {
    await this.database.query(STOP, [this.name, fence, error]);
  }

  /** Leaves the reaction to replicas that can read the event. */
  async yield(fence: string, at: Cursor, reason: string): Promise<void> {
    await this.database.query(YIELD, [this.name, fence, at.transactionId, at.position, reason]);
  }

  async release(fence: string): Promise<void> {
    await this.database.query(RELEASE, [this.name, fence]);
  }

  private requireFence(rows: readonly object[]): void {
    if (rows.length === 0) throw new LeaseIsLost(this.name);
  }
}
