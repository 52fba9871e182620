import type { Journal, JournalRecord } from '../../../ledger/journal.js';
import { Records } from './records.js';

interface Row<T> {
  readonly id: string;
  readonly account: string;
  readonly value: T;
}

/** Objects of one kind. An account never sees those of another. */
export class Table<T extends { readonly id: string }> extends Records<Row<T>> {
  constructor(journal: Pick<Journal, 'append'>, kind: string, capacity: number) {
    super(journal, kind, { capacity });
  }

  of(account: string, id: string): T | undefined {
    const row = this.find(id);
    return row?.account === account ? row.value : undefined;
  }

  put(account: string, value: T, ...also: readonly JournalRecord[]): T {
    return this.keep({ id: value.id, account, value }, ...also).value;
  }

  discard(id: string): void {
    const row = this.find(id);
    if (row) this.remove(row);
  }

  /** Newest first. */
  allOf(account: string): T[] {
    return [...this.all]
      .filter((row) => row.account === account)
      .map(({ value }) => value)
      .reverse();
  }
}
