import { dayOf } from '../ledger/spend-scopes.sql.js';
import { DIMENSIONS, MEASURES, SUMS_OF_VERSIONS, sumsOf, versions } from '../rollups/measures.sql.js';
import type { Grouping } from './usage-query.js';

/** Text of each grouping of a row `p`; empty where there is none, such as attempts without a person. */
const KEY_OF: Readonly<Record<Grouping, string>> = {
  day: `p.starts_on::text`,
  month: `to_char(p.starts_on, 'YYYY-MM')`,
  organization: `p.organization_id::text`,
  application: `p.application_id::text`,
  user: `coalesce(p.user_id::text, '')`,
  capability: `p.capability`,
  provider: `p.provider`,
  model: `p.provider || '/' || p.model`,
  credential: `p.credential_id::text`,
};

const COLUMNS = [...DIMENSIONS, ...MEASURES].join(', ');

const FILTERS = `($5::uuid[] IS NULL OR r.organization_id = ANY ($5)) AND ($6::uuid IS NULL OR r.application_id = $6)
  AND ($7::uuid IS NULL OR r.user_id = $7) AND ($8::text IS NULL OR r.capability = $8)
  AND ($9::text IS NULL OR r.provider = $9) AND ($10::text IS NULL OR r.model = $10)
  AND ($11::uuid IS NULL OR r.credential_id = $11)`;

/** Rollups, and the rows that they do not hold yet: both as one snapshot sees them. */
const PARTS = `
  SELECT r.starts_on, ${COLUMNS} FROM gateway.usage_rollup r
  WHERE r.level = $1 AND r.period = 'month' AND r.starts_on BETWEEN $2 AND $3 AND ${FILTERS}
  UNION ALL
  SELECT r.starts_on, ${COLUMNS} FROM gateway.usage_rollup r
  JOIN jsonb_to_recordset($4::jsonb) AS d ("from" date, "to" date) ON r.starts_on BETWEEN d."from" AND d."to"
  WHERE r.level = $1 AND r.period = 'day' AND ${FILTERS}
  UNION ALL
  SELECT r.starts_on, ${COLUMNS} FROM (
    SELECT ${dayOf('v.reserved_at')} AS starts_on, ${DIMENSIONS.map((name) => `v.${name}`).join(', ')}, ${SUMS_OF_VERSIONS}
    FROM (${versions((id) => `${id} >= (SELECT counted_before FROM gateway.usage_rollup_state)`)}) v
    GROUP BY starts_on, ${DIMENSIONS.map((name) => `v.${name}`).join(', ')}) r
  WHERE r.starts_on BETWEEN $12::date AND $13::date AND ${FILTERS}`;

/**
 * One row for each group, in the order of the keys, and one with the sums of all groups, whose `keys` are null.
 * $1 level, $2 and $3 months, $4 JSON array of ranges of days, $5 organizations, $6 application, $7 user, $8 capability,
 * $9 provider, $10 model, $11 credential, $12 and $13 days, $14 keys of the last group of the page before, $15 rows
 */
export function reportOf(groupBy: readonly Grouping[]): string {
  const keys = groupBy.map((grouping, index) => `${KEY_OF[grouping]} AS k${index}`);
  const names = groupBy.map((_, index) => `k${index}`);
  const array = `ARRAY[${names.join(', ')}]::text[]`;
  const after = names.length > 0 ? `$14::text[] IS NULL OR ${array} > $14::text[]` : '$14::text[] IS NULL';
  return `
  WITH grouped AS MATERIALIZED (
    SELECT ${[...keys, `max(p.application) AS application`, sumsOf('p')].join(', ')}
    FROM (${PARTS}) p ${names.length > 0 ? `GROUP BY ${names.join(', ')}` : 'HAVING count(*) > 0'}
  )
  (SELECT ${array} AS keys, g.application, ${MEASURES.join(', ')} FROM grouped g
    WHERE ${after} ORDER BY ${array} LIMIT $15)
  UNION ALL
  SELECT NULL, NULL, ${MEASURES.map((name) => `coalesce(sum(${name}), 0)::bigint`).join(', ')} FROM grouped`;
}
