import { dayOf } from '../spend/spend-scopes.sql.js';
import {
  DIMENSIONS,
  MEASURES,
  SUMS_OF_VERSIONS,
  sumsOf,
  versionsBehindRollups,
} from '../rollups/measures.sql.js';
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

const FILTERS = `($8::uuid[] IS NULL OR r.organization_id = ANY ($8)) AND ($9::uuid IS NULL OR r.application_id = $9)
  AND ($10::uuid IS NULL OR r.user_id = $10) AND ($11::text IS NULL OR r.capability = $11)
  AND ($12::text IS NULL OR r.provider = $12) AND ($13::text IS NULL OR r.model = $13)
  AND ($14::uuid IS NULL OR r.credential_id = $14)`;

const rollups = (period: string, from: string, to: string) => `
  SELECT r.starts_on, ${COLUMNS} FROM gateway.usage_sum r
  WHERE r.level = $1 AND r.period = '${period}' AND r.starts_on BETWEEN ${from}::date AND ${to}::date AND ${FILTERS}`;

/** Rollups, and the rows that they do not hold yet: both as one snapshot sees them. */
const PARTS = `${rollups('month', '$2', '$3')}
  UNION ALL ${rollups('day', '$4', '$5')}
  UNION ALL ${rollups('day', '$6', '$7')}
  UNION ALL
  SELECT r.starts_on, ${COLUMNS} FROM (
    SELECT ${dayOf('v.reserved_at')} AS starts_on, ${DIMENSIONS.map((name) => `v.${name}`).join(', ')}, ${SUMS_OF_VERSIONS}
    FROM (${versionsBehindRollups('$17')}) v
    GROUP BY starts_on, ${DIMENSIONS.map((name) => `v.${name}`).join(', ')}) r
  WHERE r.starts_on BETWEEN $15::date AND $16::date AND ${FILTERS}`;

const namesOf = (groupBy: readonly Grouping[]) => groupBy.map((_, index) => `k${index}`);
const arrayOf = (groupBy: readonly Grouping[]) => `ARRAY[${namesOf(groupBy).join(', ')}]::text[]`;

/**
 * Columns `k0`, `k1` …, application and measures, one row for each group.
 * $1 level, $2 and $3 months, $4 and $5, $6 and $7 days before and after them, $8 organizations, $9 application, $10 user, $11 capability,
 * $12 provider, $13 model, $14 credential, $15 and $16 days, $17 counted before
 */
function groupedBy(groupBy: readonly Grouping[]): string {
  const keys = groupBy.map((grouping, index) => `${KEY_OF[grouping]} AS k${index}`);
  return `SELECT ${[...keys, `max(p.application) AS application`, sumsOf('p')].join(', ')}
    FROM (${PARTS}) p ${keys.length > 0 ? `GROUP BY ${namesOf(groupBy).join(', ')}` : 'HAVING count(*) > 0'}`;
}

/** All groups in the order of their keys. Parameters of `groupedBy`. */
export const groupsOf = (groupBy: readonly Grouping[]): string => `
  SELECT ${arrayOf(groupBy)} AS keys, g.application, ${MEASURES.join(', ')} FROM (${groupedBy(groupBy)}) g ORDER BY keys`;

/**
 * A page of the groups, and one row with the sums of all groups, whose `keys` are null.
 * Parameters of `groupedBy`, $18 keys of the last group of the page before, $19 rows
 */
export function reportOf(groupBy: readonly Grouping[]): string {
  const array = arrayOf(groupBy);
  const after = `$18::text[] IS NULL${groupBy.length > 0 ? ` OR ${array} > $18::text[]` : ''}`;
  return `
  WITH grouped AS MATERIALIZED (${groupedBy(groupBy)})
  (SELECT ${array} AS keys, g.application, ${MEASURES.join(', ')} FROM grouped g
    WHERE ${after} ORDER BY ${array} LIMIT $19)
  UNION ALL
  SELECT NULL, NULL, ${MEASURES.map((name) => `coalesce(sum(${name}), 0)::bigint`).join(', ')} FROM grouped`;
}
