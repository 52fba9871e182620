import { brandAccessOf, type Caller, isBrandAccessible, type Scope } from '#libs/auth';
import { statement, type Statement } from '#libs/database';
import { MAX_TOTAL } from '#libs/http';
import { ITEM_COLUMNS, JOIN_PREDECESSOR } from '../views/post-row.view.js';

/** A condition on `v`; `$` is the placeholder of its value. */
export interface Condition {
  /** Part of the statement's name: equal keys have equal SQL. */
  readonly key: string;
  readonly sql: string;
  readonly value?: unknown;
  /** For a column that precedes the order in an index: each value is read in the order of the index. */
  readonly each?: ColumnValues;
  /** It excludes no row, and no column after its own is narrowed: only pages, which have an order, are read value by value. */
  readonly isAll?: true;
}

export interface ColumnValues {
  readonly column: string;
  /** Type of the values. */
  readonly type: 'text' | 'smallint';
}

export interface PageOrder {
  readonly name: string;
  /** Expressions on `v` that are unique together, with their types. */
  readonly keys: readonly (readonly [expression: string, type: string])[];
  readonly direction: 'ASC' | 'DESC';
}

export interface PageRequest {
  readonly caller: Caller;
  readonly scopes: readonly Scope[];
  readonly conditions: readonly Condition[];
  readonly order: PageOrder;
  /** The keys of the last row of the previous page. */
  readonly after: readonly unknown[] | null;
  readonly limit: number;
}

/** Brands that the caller can access: $1 and $2 are a `BrandAccess`. */
const ACCESSIBLE_BRANDS = `brands.brand_owner b WHERE ${isBrandAccessible('b')}`;

/**
 * A page over the accessible brands in one statement: per brand and value at most one page of rows along the index of the
 * order, then the first page of all of them.
 */
export function pageStatement(request: PageRequest): { sql: Statement; values: unknown[] } {
  const { conditions, order, after, limit } = request;
  const { values, filters, each } = filtersOf(request);
  const expressions = order.keys.map(([expression]) => expression);
  if (after !== null) {
    const keys = order.keys.map(([, type], index) => `$${values.length + index + 1}::${type}`);
    filters.push(`(${expressions.join(', ')}) ${order.direction === 'ASC' ? '>' : '<'} (${keys.join(', ')})`);
    values.push(...after);
  }
  values.push(limit);
  const by = sorted(order);
  const text = `SELECT ${ITEM_COLUMNS}, v.queue_state, v.queue_rank, v.queue_at
    FROM (SELECT b.id, b.organization_id FROM ${ACCESSIBLE_BRANDS}) b ${each.join(' ')}
    CROSS JOIN LATERAL (
      SELECT v.* FROM posts.post_view v WHERE v.brand_id = b.id${filters.map((sql) => ` AND ${sql}`).join('')}
      ORDER BY ${by} LIMIT $${values.length}
    ) v ${JOIN_PREDECESSOR}
    ORDER BY ${by} LIMIT $${values.length}`;
  const name = ['page_posts', order.name, ...conditions.map(({ key }) => key), ...(after ? ['after'] : [])];
  return { sql: statement(name.join('_'), text), values };
}

/**
 * Number of rows of all pages, at most `MAX_TOTAL` + 1. The ORDER BY keeps the planner on the index of the pages: without
 * it, the planner chooses a sequential scan that expects to reach the limit early.
 */
export function countStatement({ order, ...request }: Omit<PageRequest, 'after' | 'limit'>) {
  const conditions = request.conditions.filter(({ isAll }) => isAll === undefined);
  const { values, filters, each } = filtersOf({ ...request, conditions });
  const columns = request.conditions.flatMap((condition) => condition.each?.column ?? []);
  const text = `SELECT count(*)::int AS total FROM (
    SELECT FROM (SELECT b.id FROM ${ACCESSIBLE_BRANDS}) b ${each.join(' ')}
    CROSS JOIN LATERAL (
      SELECT FROM posts.post_view v WHERE v.brand_id = b.id${filters.map((sql) => ` AND ${sql}`).join('')}
      ORDER BY ${[...new Set([...columns, ...order.keys.map(([key]) => key)])].join(', ')} LIMIT ${MAX_TOTAL + 1}
    ) v LIMIT ${MAX_TOTAL + 1}) AS counted`;
  return {
    sql: statement(['count_posts', order.name, ...conditions.map(({ key }) => key)].join('_'), text),
    values,
  };
}

const sorted = ({ keys, direction }: PageOrder): string =>
  keys.map(([expression]) => `${expression} ${direction}`).join(', ');

type Filtered = Pick<PageRequest, 'caller' | 'scopes' | 'conditions'>;

function filtersOf({ caller, scopes, conditions }: Filtered) {
  const { organizationIds, brandIds } = brandAccessOf(caller, scopes);
  const values: unknown[] = [organizationIds, brandIds];
  const each: string[] = [];
  const filters = conditions.map((condition) => {
    if (!condition.sql.includes('$')) return condition.sql;
    values.push(condition.value);
    const parameter = `$${values.length}`;
    if (!condition.each) return condition.sql.replaceAll('$', parameter);
    const { column, type } = condition.each;
    each.push(`CROSS JOIN unnest(${parameter}::${type}[]) AS each_${condition.key} (value)`);
    return `${column} = each_${condition.key}.value`;
  });
  return { values, filters, each };
}
