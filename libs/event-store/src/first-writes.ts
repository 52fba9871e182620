import { Database, type Transaction } from '#libs/database';
import type { AppendRequest } from './append-request.js';
import { AppendIsNotFirstWrite } from './event-store.errors.js';

/** A transaction, or the database itself, which joins a running transaction or commits each statement separately. */
export type Unit = Database | Transaction;

/** Requires of each transaction that its first append is its first write. */
export class FirstWrites {
  private readonly appended = new WeakSet<Transaction>();

  /**
   * A refused append counts as one: it assigns the transaction id, and the caller may repeat it in the same transaction.
   * @throws AppendIsNotFirstWrite
   */
  async check<Row extends { readonly had_id: boolean }>(
    unit: Unit,
    requests: readonly AppendRequest[],
    append: () => Promise<Row[]>,
  ): Promise<Row[]> {
    const transaction = unit instanceof Database ? unit.running : unit;
    const isFirst = transaction !== undefined && !this.appended.has(transaction);
    if (isFirst) this.appended.add(transaction);
    const rows = await append();
    const early = isFirst && rows[0]?.had_id && requests.find((request) => !request.afterWrites);
    if (early) throw new AppendIsNotFirstWrite(early.streamType);
    return rows;
  }
}
