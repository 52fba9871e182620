import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Database } from '#libs/database';
import { RequestQuery } from '#libs/messages';
import { AUDIT_COLUMNS, type AuditEntry } from '../domain/audit-entry.js';

export interface AuditFilter {
  readonly contentId?: string;
  /** Any of them, as `post.scheduled`. */
  readonly kinds?: readonly string[];
  /** The id of a person, service principal or key. */
  readonly actor?: string;
  /** Stored at this instant or later; RFC 3339. */
  readonly from?: string;
  /** Stored before this instant; RFC 3339. */
  readonly to?: string;
}

export interface AuditPage {
  /** The chains the caller may read: of its brands, and of organizations where an event concerns no brand. */
  readonly chains: readonly string[];
  readonly filter: AuditFilter;
  readonly order: 'asc' | 'desc';
  /** Entries after this one, in the requested order. */
  readonly after?: string;
  readonly limit: number;
}

export interface AuditRow extends Omit<AuditEntry, 'at'> {
  readonly at: Date;
  readonly entry: string;
  readonly hash: Buffer;
}

/** Audit rows in the order of recording. No row ever appears before a returned one, so that `after` is safe for polling. */
export class ListAuditEvents extends RequestQuery<AuditPage, AuditRow[]> {}

@QueryHandler(ListAuditEvents)
export class ListAuditEventsHandler implements IQueryHandler<ListAuditEvents> {
  constructor(private readonly database: Database) {}

  execute({ request: page }: ListAuditEvents): Promise<AuditRow[]> {
    const { sql, values } = auditQuery(page);
    return this.database.query<AuditRow>(sql, values);
  }
}

/**
 * Reads at most one page per chain and kind, each by index, so that many brands cost no more. A page is a range of whole keys
 * in the order of its index, which begins with the chain. With `chain = … ORDER BY entry` the planner would also consider the
 * index of all entries, and where statistics show few chains it would read the entries of all others.
 */
export function auditQuery({ chains, filter, order, after, limit }: AuditPage) {
  const values: unknown[] = [chains, limit];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const where = (condition: (parameter: string) => string, value: unknown) =>
    value === undefined ? [] : [condition(parameter(value))];
  const direction = order === 'asc' ? 'ASC' : 'DESC';
  const { kinds, actor, from, to, contentId } = filter;
  const afterIn = (direction: typeof order) =>
    order === direction ? where((entry) => `${entry}::bigint`, after) : [];
  const low = [...afterIn('asc'), ...where(lastBefore, from)];
  const high = [...afterIn('desc'), ...where(firstAfter, to)];
  const conditions = [
    ...where((id) => `content_id = ${id}::uuid`, contentId),
    ...where((instant) => `at >= ${instant}::timestamptz`, from),
    ...where((instant) => `at < ${instant}::timestamptz`, to),
  ];
  const key = [['chain', 'readable.chain']];
  const isOfActor = actor === undefined ? [] : [['actor_id', parameter(actor)]];
  if (kinds) key.push(['kind', 'each.kind']);
  else key.push(...isOfActor);
  if (kinds) conditions.push(...isOfActor.map(([column, value]) => `${column} = ${value}`));
  const columns = [...key.map(([column]) => column), 'entry'];
  const bound = (entry: string) => `(${[...key.map(([, value]) => value), entry].join(', ')})`;
  const sql = `
    SELECT found.* FROM unnest($1::text[]) AS readable (chain)
    ${kinds ? `CROSS JOIN unnest(${parameter(kinds)}::text[]) AS each (kind)` : ''}
    CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM content_ops.audit_event
      WHERE ${[
        `(${columns.join(', ')}) > ${bound(`greatest(${['0', ...low].join(', ')})`)}`,
        `(${columns.join(', ')}) < ${bound(`least(${[LAST, ...high].join(', ')})`)}`,
        ...conditions,
      ].join(' AND ')}
      ORDER BY ${columns.map((column) => `${column} ${direction}`).join(', ')} LIMIT $2
    ) AS found
    ORDER BY found.entry ${direction} LIMIT $2`;
  return { sql, values };
}

const LAST = '9223372036854775807';

/**
 * Entries are in the order of transactions, times are those of decisions. An earlier decision may have a later entry, by the
 * length of a transaction or a clock step, which is less than a day. So an entry a day off bounds the search.
 */
const OUT_OF_ORDER = `interval '1 day'`;

const lastBefore = (from: string) =>
  `coalesce((SELECT bound.entry FROM content_ops.audit_event AS bound WHERE bound.chain = readable.chain
     AND bound.at < ${from}::timestamptz - ${OUT_OF_ORDER} ORDER BY bound.at DESC LIMIT 1), 0)`;

const firstAfter = (to: string) =>
  `coalesce((SELECT bound.entry FROM content_ops.audit_event AS bound WHERE bound.chain = readable.chain
     AND bound.at >= ${to}::timestamptz + ${OUT_OF_ORDER} ORDER BY bound.at LIMIT 1), ${LAST})`;

const COLUMNS = [
  'entry',
  ...AUDIT_COLUMNS.map(({ member, column }) => `${column} AS "${member}"`),
  'hash',
].join(', ');
