import type { Journal, JournalRecord } from '../../ledger/journal.js';
import { Records } from '../../networks/kit/state/records.js';
import type { Listed } from './objects.js';

interface Row<T> {
  readonly id: string;
  readonly account: string;
  readonly value: T;
}

export interface Page {
  readonly limit: number;
  readonly startingAfter?: string;
  readonly endingBefore?: string;
  readonly url: string;
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

  page(
    account: string,
    { limit, startingAfter, endingBefore, url }: Page,
    matches: (value: T) => boolean,
  ): Listed<T> {
    const all = this.allOf(account).filter(matches);
    if (endingBefore !== undefined) {
      const before = all.slice(
        0,
        Math.max(
          0,
          all.findIndex(({ id }) => id === endingBefore),
        ),
      );
      return { object: 'list', data: before.slice(-limit), has_more: before.length > limit, url };
    }
    const from = startingAfter === undefined ? 0 : all.findIndex(({ id }) => id === startingAfter) + 1;
    return { object: 'list', data: all.slice(from, from + limit), has_more: all.length > from + limit, url };
  }
}
