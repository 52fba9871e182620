import type { Database, Transaction } from '#libs/database';
import type { Cursor } from '../cursor.js';
import {
  BEGIN_BATCH,
  CHECKPOINT,
  CLAIM,
  HALT,
  INTRODUCE,
  RELEASE,
  RENEW,
  RESUME,
  YIELD,
} from './checkpoint.statements.js';

/** Another replica has taken over; what this one was about to commit must not count. */
export class LeaseIsLost extends Error {
  constructor(reaction: string) {
    super(`Another replica took over ${reaction}.`);
    this.name = 'LeaseIsLost';
  }
}

/** The right to work on one reaction, as long as its fence is the newest. */
export interface CheckpointClaim {
  readonly fence: string;
  readonly cursor: Cursor;
}

/** The row that says how far a reaction has come and who works on it. */
export class Checkpoint {
  constructor(
    private readonly database: Database,
    private readonly name: string,
    private readonly owner: string,
    private readonly leaseMs: number,
  ) {}

  /** Makes the row when it is not there, and lets a stopped reaction try again. */
  async introduce(): Promise<void> {
    await this.database.query(INTRODUCE, [this.name]);
    await this.database.query(RESUME, [this.name]);
  }

  /**
   * @param unreadable the place of the event that this replica cannot read.
   * @returns undefined while another replica works on it, it is stopped, or it has not passed that event.
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
    this.must(await this.database.query(RENEW, [this.name, fence, this.leaseMs]));
  }

  /** @throws LeaseIsLost */
  async begin(transaction: Transaction, fence: string, searchPath: string): Promise<void> {
    this.must(await transaction.query(BEGIN_BATCH, [this.name, fence, searchPath]));
  }

  /** @throws LeaseIsLost */
  async advance(transaction: Transaction, fence: string, to: Cursor): Promise<void> {
    const values = [this.name, fence, to.transactionId, to.position, this.leaseMs];
    this.must(await transaction.query(CHECKPOINT, values));
  }

  async halt(fence: string, error: string): Promise<void> {
    await this.database.query(HALT, [this.name, fence, error]);
  }

  /** Leaves the reaction to replicas that can read the event. */
  async yield(fence: string, at: Cursor, reason: string): Promise<void> {
    await this.database.query(YIELD, [this.name, fence, at.transactionId, at.position, reason]);
  }

  async release(fence: string): Promise<void> {
    await this.database.query(RELEASE, [this.name, fence]);
  }

  private must(rows: readonly object[]): void {
    if (rows.length === 0) throw new LeaseIsLost(this.name);
  }
}
