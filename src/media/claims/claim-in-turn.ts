interface DueRows {
  readonly table: string;
  /** Column. Default `id`. */
  readonly id?: string;
  /** Column: when a row is due, or when its lease ends. */
  readonly dueAt: string;
  /** Condition on rows `t` that wait or are claimed. With `brand_id` and `dueAt`, it must be what an index has. */
  readonly pending: string;
}

/** Other workers claim at the same time: so many rows of a brand may be locked by them. */
const LOCKED_BY_OTHERS = 32;

/**
 * The expressions after WITH of a claim. `picked` has the ids of due rows, locked: at most $1, the same share of each organization, and
 * first of those that used no time, or the least. However many rows of one organization are due, they hide none of another.
 * $2 organizations that used time, the one with the most at the end. Finds brands by a loose index scan.
 */
export const pickedInTurn = ({ table, id = 'id', dueAt, pending }: DueRows): string => `RECURSIVE brand AS (
     (SELECT t.brand_id FROM ${table} AS t WHERE ${pending} ORDER BY t.brand_id LIMIT 1)
     UNION ALL
     SELECT next.brand_id FROM brand, LATERAL (
       SELECT t.brand_id FROM ${table} AS t WHERE ${pending} AND t.brand_id > brand.brand_id
       ORDER BY t.brand_id LIMIT 1) AS next
   ), due AS (
     SELECT first.id, first.due_at, owner.organization_id,
       row_number() OVER (PARTITION BY owner.organization_id ORDER BY first.due_at, first.id) AS nth
     FROM brand LEFT JOIN brands.brand_owner AS owner ON owner.id = brand.brand_id, LATERAL (
       SELECT t.${id} AS id, t.${dueAt} AS due_at FROM ${table} AS t
       WHERE ${pending} AND t.brand_id = brand.brand_id AND t.${dueAt} <= now()
       ORDER BY t.${dueAt} LIMIT $1 + ${LOCKED_BY_OTHERS}) AS first
   ), picked AS (
     SELECT due.id, due.organization_id FROM due JOIN ${table} AS t ON t.${id} = due.id
     WHERE ${pending} AND t.${dueAt} <= now()
     ORDER BY due.nth, coalesce(array_position($2::uuid[], due.organization_id), 0), due.due_at
     LIMIT $1 FOR UPDATE OF t SKIP LOCKED
   )`;
