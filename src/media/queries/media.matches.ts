import { Injectable } from '@nestjs/common';
import { Database, inGroup, statement } from '#libs/database';
import type { Counted } from '#libs/http';
import { type MediaTerms, termOfBrands } from './media.search.js';

export interface MatchesToFind extends MediaTerms {
  /** Not empty. */
  readonly brandIds: readonly string[];
  readonly before: string;
  readonly limit: number;
}

/** The number of all matches, regardless of `before`, only where it is known. */
export interface MediaMatches extends Counted {
  /** Newest first, at most `limit`. */
  readonly ids: readonly string[];
}

/** Newest files that are always compared one by one, over all brands. */
const FIRST_SCAN = 1_000;
const MAX_SCAN = 100_000;
/** The matches are not evenly distributed. */
const MARGIN = 1.5;
/** Of each brand at least this many. */
const SCANNED_OF_BRAND = 50;

interface Scan {
  readonly isComplete: boolean;
  readonly matches: number;
  /** Newest first, at most the limit. */
  readonly ids: readonly string[];
}

/** Matches that are read by the index on words and sorted at most. */
const MAX_SORTED = 3_000;

/**
 * Microseconds, measured on a million files: to compare one of the newest files; for an entry of a word in the index; for an entry of
 * a prefix, because GIN collects all of them before it returns a row; and for a row that the index returns.
 */
const COST = { compared: 0.9, entry: 0.03, prefixEntry: 0.3, row: 6 };

/** With less, GIN remembers pages instead of rows for a frequent prefix, and most rows are read in vain. */
const ENLARGE_MEMORY = statement('enlarge_memory_of_search', `SELECT set_config('work_mem', '16MB', true)`);

/**
 * $1 brands, $2 ids before, $3 limit, $4 query, $5 files per brand. `edge`: a brand with more files than were compared may have
 * matches that are older; without one the search is complete.
 */
const SCAN = statement(
  'scan_newest_media',
  `WITH scanned AS MATERIALIZED (
     SELECT f.* FROM unnest($1::uuid[]) AS mine (brand_id) CROSS JOIN LATERAL (
       SELECT count(*) AS files, min(newest.id::text) AS oldest,
         array_agg(newest.id::text) FILTER (WHERE newest.search @@ $4::tsquery) AS ids
       FROM (SELECT id, search FROM media.file
             WHERE ${inGroup('brand_id', 'mine.brand_id')} AND id < $2 AND poster_of IS NULL
             ORDER BY brand_id DESC, id DESC LIMIT $5) AS newest) AS f),
   edge AS (SELECT max(oldest) AS id FROM scanned WHERE files = $5),
   found AS (
     SELECT id FROM scanned CROSS JOIN LATERAL unnest(ids) AS id
     WHERE (SELECT edge.id IS NULL FROM edge) OR id >= (SELECT edge.id FROM edge))
   SELECT (SELECT id IS NULL FROM edge) AS "isComplete", (SELECT count(*)::int FROM found) AS matches,
     ARRAY(SELECT id FROM found ORDER BY id COLLATE "C" DESC LIMIT $3) AS ids`,
);

/** $1 brands, $2 ids before, $3 limit, $4 query. In coalesce, so that the index on words, which has no order, does not apply. */
const WALK = statement(
  'walk_matching_media',
  `SELECT f.id FROM unnest($1::uuid[]) AS mine (brand_id) CROSS JOIN LATERAL (
     SELECT id FROM media.file
     WHERE ${inGroup('brand_id', 'mine.brand_id')} AND id < $2 AND poster_of IS NULL
       AND coalesce(search @@ $4::tsquery, false)
     ORDER BY brand_id DESC, id DESC LIMIT $3) AS f
   ORDER BY f.id DESC LIMIT $3`,
);

/** Of the table and of each term, by statistics. A parallel plan would have another shape: `pg_current_xact_id` forbids it. */
const estimates = (terms: number): string => {
  const one = (condition: string) => `SELECT pg_current_xact_id() FROM media.file WHERE ${condition}`;
  const conditions = Array.from({ length: terms }, (_, index) => `search @@ $${index + 1}::tsquery`);
  return `EXPLAIN (FORMAT JSON) ${['true', ...conditions].map(one).join(' UNION ALL ')}`;
};

interface SearchPlan {
  /** Texts of tsqueries. */
  readonly values: readonly string[];
  /** Positions of the terms to read by the index. */
  readonly indexed: ReadonlySet<number>;
  /** Newest files to compare before the index is read; null when the index costs less. */
  readonly scan: number | null;
}

interface Plan {
  readonly 'Plan Rows': number;
  readonly Plans?: readonly Plan[];
}

/**
 * Newest files that match. The order has an index, and the words have one, but no index has both. A term that one of some hundred
 * files matches is found soon among the newest files. A rarer one has few matches: the index on words gives them all.
 */
@Injectable()
export class MatchingMedia {
  constructor(private readonly database: Database) {}

  async find(wanted: MatchesToFind, isFirstPage: boolean): Promise<MediaMatches> {
    const { brandIds, before, limit } = wanted;
    const newest = await this.scan(wanted, FIRST_SCAN);
    if (isEnough(newest, limit)) return matchesOf(newest, isFirstPage);
    const plan = await this.plan(wanted, newest.matches);
    const further = plan.scan === null ? newest : await this.scan(wanted, plan.scan);
    if (isEnough(further, limit)) return matchesOf(further, isFirstPage);
    const all = await this.all(plan);
    if (all.length <= MAX_SORTED) return { ids: firstOf(all, before, limit), total: all.length };
    const rows = await this.database.query<{ id: string }>(WALK, [brandIds, before, limit, queryOf(wanted)]);
    return { ids: rows.map(({ id }) => id), totalExceeds: MAX_SORTED };
  }

  private async scan(wanted: MatchesToFind, files: number): Promise<Scan> {
    const { brandIds, before, limit } = wanted;
    const perBrand = Math.max(SCANNED_OF_BRAND, Math.ceil(files / brandIds.length));
    const values = [brandIds, before, limit, queryOf(wanted), perBrand];
    const [scan] = await this.database.query<Scan>(SCAN, values);
    return scan ?? { isComplete: true, matches: 0, ids: [] };
  }

  /** @param newest matches among the first files */
  private async plan({ brandIds, terms, prefix, limit }: MatchesToFind, newest: number): Promise<SearchPlan> {
    const values = [termOfBrands(brandIds), ...terms, ...(prefix === null ? [] : [prefix])];
    const { files, rows } = await this.estimate(values);
    const estimated = values.map((value, index) => ({ rows: rows[index] ?? 0, isPrefix: value === prefix }));
    const { indexed, microseconds } = chooseIndexed(files, estimated);
    const independent = estimated.reduce((share, term) => (share * term.rows) / Math.max(files, 1), 1);
    const share = Math.max(independent, newest / FIRST_SCAN);
    const scan = Math.ceil((MARGIN * limit) / share);
    const isCheaper = scan <= MAX_SCAN && scan * COST.compared < microseconds;
    return { values, indexed, scan: isCheaper ? scan : null };
  }

  /**
   * Up to `MAX_SORTED` + 1 ids in no order. Unnamed, so that it is planned for the given words; a condition for each term,
   * because GIN evaluates a query of several terms for each entry of its rarest term.
   */
  private all({ values, indexed }: SearchPlan): Promise<string[]> {
    const conditions = values.map((_, index) => {
      const condition = `search @@ $${index + 1}::tsquery`;
      return indexed.has(index) ? condition : `coalesce(${condition}, false)`;
    });
    const sql = `SELECT id FROM media.file WHERE ${conditions.join(' AND ')} LIMIT ${MAX_SORTED + 1}`;
    return this.database.transaction(async (transaction) => {
      await transaction.query(ENLARGE_MEMORY);
      return (await transaction.query<{ id: string }>(sql, values)).map(({ id }) => id);
    });
  }

  private async estimate(terms: readonly string[]): Promise<{ files: number; rows: number[] }> {
    const [row] = await this.database.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
      estimates(terms.length),
      terms,
    );
    const [files = 0, ...rows] = (row?.['QUERY PLAN'][0].Plan.Plans ?? []).map((plan) => plan['Plan Rows']);
    return { files, rows };
  }
}

/**
 * Which terms to read by the index; the others are checked in each row that it returns. Reading a frequent term costs more than the
 * rows that it spares. @returns positions, at least one, and the expected time
 */
export function chooseIndexed(
  files: number,
  terms: readonly { readonly rows: number; readonly isPrefix: boolean }[],
): { readonly indexed: ReadonlySet<number>; readonly microseconds: number } {
  const rarestFirst = terms.map((term, index) => ({ ...term, index })).sort((a, b) => a.rows - b.rows);
  const indexed = new Set<number>();
  let matches = files;
  let microseconds = 0;
  for (const { index, rows, isPrefix } of rarestFirst) {
    const left = (matches * rows) / Math.max(files, 1);
    const reading = rows * (isPrefix ? COST.prefixEntry : COST.entry);
    if (indexed.size > 0 && reading > (matches - left) * COST.row) continue;
    indexed.add(index);
    microseconds += reading;
    matches = left;
  }
  return { indexed, microseconds: microseconds + matches * COST.row };
}

const isEnough = ({ isComplete, ids }: Scan, limit: number): boolean => isComplete || ids.length >= limit;

const matchesOf = ({ isComplete, matches, ids }: Scan, isFirstPage: boolean): MediaMatches => ({
  ids,
  ...(isComplete && isFirstPage ? { total: matches } : {}),
});

/** Brands are the rows of their indexes in statements with this query. */
const queryOf = ({ terms, prefix }: MediaTerms): string =>
  [...terms, ...(prefix === null ? [] : [prefix])].map((term) => `(${term})`).join(' & ');

/** The newest ones. Ids in lower case compare as texts like as bytes. */
const firstOf = (ids: readonly string[], before: string, limit: number): string[] =>
  ids
    .filter((id) => id < before)
    .sort()
    .reverse()
    .slice(0, limit);
