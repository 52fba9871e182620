import type { Transaction } from '#libs/database';
import { arrayOfJson } from '#libs/database';
import { APPEND_MANY } from './append-many.statement.js';
import type { Expectation } from './append-request.js';
import type { AppendedRow, PreparedAppend } from './prepared-append.js';

/** @returns the rows of each append in the order given; none for an append whose expectation is not met */
export async function runAppendMany(
  transaction: Transaction,
  appends: readonly PreparedAppend[],
): Promise<AppendedRow[][]> {
  const requests = appends.map((append) => append.request);
  const rows = await transaction.query<AppendedRow & { stream: string }>(APPEND_MANY, [
    requests.map((request) => request.stream),
    requests.map((request) => request.streamType),
    requests.map((request) => nameOf(request.expected)),
    requests.map((request) => (typeof request.expected === 'number' ? request.expected : null)),
    requests.map((request) => request.events.length),
    arrayOfJson(appends.map((append) => append.metadata)),
    appends.flatMap((append, index) => append.ids.map(() => index + 1)),
    appends.flatMap((append) => append.ids.map((_, place) => place + 1)),
    appends.flatMap((append) => append.ids),
    appends.flatMap((append) => append.types),
    appends.flatMap((append) => append.schemaVersions),
    arrayOfJson(appends.flatMap((append) => append.data)),
  ]);
  const byStream = Map.groupBy(rows, (row) => row.stream);
  return requests.map((request) => byStream.get(request.stream) ?? []);
}

function nameOf(expected: Expectation): string {
  return typeof expected === 'number' ? 'exact' : expected;
}
