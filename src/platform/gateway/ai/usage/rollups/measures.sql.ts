import { USAGE_COLUMNS } from '../spend/quantities.js';

/*
 * What is counted. Sums of whole numbers: any order of the same rows gives the same numbers.
 *
 * A row of gateway.usage has one or two versions: as it was first settled, and as its call corrected it after a sweep. The former
 * version of a corrected row is `unknown`, with nothing but its estimate. Corrections of people are entries of
 * gateway.usage_correction, with the version that they replace.
 */

/** Columns of a version that gateway.usage has under the same name. */
const QUANTITIES = Object.values(USAGE_COLUMNS).filter((name) => name !== 'audio_seconds');

/** Expression for each measure of a version `v`, before its sign. */
const MEASURE_OF: Readonly<Record<string, string>> = {
  calls: `(v.attempt = 1)::int`,
  attempts: `(v.state <> 'released')::int`,
  failed: `(v.state = 'failed')::int`,
  unknown: `(v.state = 'unknown')::int`,
  estimated: `(v.state = 'estimated')::int`,
  unpriced: `(v.cost IS NULL AND (v.state IN ('done', 'estimated') OR (v.state = 'unknown' AND v.estimate IS NULL)))::int`,
  released: `(v.state = 'released')::int`,
  cost: `coalesce(v.cost, 0)`,
  uncertain_cost: `CASE WHEN v.cost IS NULL AND v.state IN ('done', 'estimated', 'unknown') THEN coalesce(v.estimate, 0) ELSE 0 END`,
  audio_milliseconds: `coalesce(round(v.audio_seconds * 1000)::bigint, 0)`,
  ...Object.fromEntries(QUANTITIES.map((name) => [name, `coalesce(v.${name}, 0)`])),
};

export const MEASURES = Object.keys(MEASURE_OF);

/** Columns that tell usage apart, besides its time. */
export const DIMENSIONS = [
  'organization_id',
  'application_id',
  'application',
  'user_id',
  'capability',
  'provider',
  'model',
  'credential_id',
];

/** From the fewest rows to the most. A report reads the first level that has its columns. */
export const ROLLUP_LEVELS = ['platform', 'organization', 'user', 'detail'] as const;
export type RollupLevel = (typeof ROLLUP_LEVELS)[number];

/** `sum(…) AS …` of each measure of versions `v`. */
export const SUMS_OF_VERSIONS = MEASURES.map(
  (name) => `sum(v.sign * ${MEASURE_OF[name]})::bigint AS ${name}`,
).join(', ');

/** The same of rows that have the measures as columns. @param row SQL name of the rows */
export const sumsOf = (row: string) =>
  MEASURES.map((name) => `sum(${row}.${name})::bigint AS ${name}`).join(', ');

/** Columns of an attempt that stay the same in all of its versions. */
export const COPIED = ['attempt', ...DIMENSIONS, 'estimate', 'reserved_at'];
/** Columns in which versions differ, besides their state. */
export const COUNTED = [...QUANTITIES, 'cost', 'audio_seconds'];

/** @param row SQL name of a row */
export const columnsOf = (row: string, names: readonly string[]): string =>
  names.map((name) => `${row}.${name}`).join(', ');

const version = (sign: string, isFormer: string) => `SELECT ${columnsOf('u', COPIED)}, ${sign} AS sign,
    CASE WHEN ${isFormer} THEN 'unknown' ELSE u.state END AS state, ${COUNTED.map(
      (name) => `CASE WHEN ${isFormer} THEN NULL ELSE u.${name} END AS ${name}`,
    ).join(', ')}`;

/**
 * Versions that transactions of a range made, and with sign -1 those that they replaced.
 * @param isIn SQL condition on a transaction id @param where SQL condition on a row `u` of an attempt
 */
export const versions = (isIn: (transactionId: string) => string, where = 'true') => `
  ${version('1', 'u.corrected_transaction IS NOT NULL')}
  FROM gateway.usage u WHERE ${isIn('u.settled_transaction')} AND ${where}
  UNION ALL
  ${version('c.sign', 'c.is_former')}
  FROM gateway.usage u CROSS JOIN (VALUES (-1, true), (1, false)) AS c (sign, is_former)
  WHERE ${isIn('u.corrected_transaction')} AND ${where}
  UNION ALL
  SELECT ${columnsOf('u', [...COPIED, 'sign', 'state', ...COUNTED])}
  FROM gateway.usage_correction u WHERE ${isIn('u.corrected_transaction')} AND ${where}`;

/**
 * Versions that the rollups of the same snapshot do not hold.
 * @param hint SQL of a position that was read before: positions only grow, and a value lets PostgreSQL plan with the index
 */
export const versionsBehindRollups = (hint: string) =>
  versions(
    (id) => `${id} >= ${hint}::text::xid8 AND ${id} >= (SELECT counted_before FROM gateway.usage_sum_state)`,
  );
