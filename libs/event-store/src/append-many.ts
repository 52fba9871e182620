import { arrayOfJson, type Transaction } from '#libs/database';
import { APPEND_MANY } from './append-many.statement.js';
import type { AppendRequest, Expectation } from './append-request.js';
import type { AppendedRow, PreparedAppend } from './prepared-append.js';

type Row = AppendedRow & { readonly stream: string };

/** @returns a row for each event of the appends whose expectation is met */
export async function runAppendMany(
  transaction: Transaction,
  appends: readonly PreparedAppend[],
): Promise<Row[]> {
  const requests = appends.map((append) => append.request);
  return transaction.query<Row>(APPEND_MANY, [
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
}

/** The rows of each request, in the order of the requests. */
export function byRequest(requests: readonly AppendRequest[], rows: readonly Row[]): Row[][] {
  const byStream = Map.groupBy(rows, (row) => row.stream);
  return requests.map((request) => byStream.get(request.stream) ?? []);
}

function nameOf(expected: Expectation): string {
  return typeof expected === 'number' ? 'exact' : expected;
}

/** @throws RangeError */
export function validateBatch(requests: readonly AppendRequest[]): void {
  if (new Set(requests.map((request) => request.stream)).size !== requests.length) {
    throw new RangeError('A batch has at most one append per stream.');
  }
  if (requests.some((request) => request.events.length === 0))
    throw new RangeError('Each append of a batch needs at least one event.');
}
