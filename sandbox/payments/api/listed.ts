import type { ApiCall, Outcome } from '../wire/api-route.js';
import type { Params } from '../wire/params.js';
import { invalid } from '../wire/problems.js';
import type { Table } from '../state/table.js';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 10;

interface Created {
  readonly id: string;
  readonly created: number;
}

/** `limit`, `starting_after`, `ending_before` and `created` of every list. */
export function listed<T extends Created>(
  { account, params }: ApiCall,
  table: Table<T>,
  url: string,
  matches: (value: T) => boolean = () => true,
): Outcome {
  const limit = params.integer('limit', 1) ?? DEFAULT_LIMIT;
  if (limit > MAX_LIMIT) throw invalid('This value must be less than or equal to 100.', 'limit');
  const startingAfter = params.text('starting_after');
  const endingBefore = params.text('ending_before');
  const isCreated = createdIn(params);
  params.done();
  const page = { limit, url, ...(startingAfter && { startingAfter }), ...(endingBefore && { endingBefore }) };
  return { value: table.page(account.id, page, (value) => matches(value) && isCreated(value)) };
}

function createdIn(params: Params): (value: Created) => boolean {
  const range = params.child('created');
  if (!range) return () => true;
  const gte = range.integer('gte') ?? 0;
  const lt = range.integer('lt') ?? Infinity;
  const lte = range.integer('lte') ?? Infinity;
  const gt = range.integer('gt') ?? -1;
  range.done();
  return ({ created }) => created >= gte && created > gt && created < lt && created <= lte;
}
