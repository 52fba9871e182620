import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import type { MediaTerms } from './media.search.js';
import { termOfBrands } from './media.search.js';

export interface MatchesToFind extends MediaTerms {
  /** Not empty. */
  readonly brandIds: readonly string[];
  /** Only files with smaller ids. */
  readonly before: string;
  readonly limit: number;
}

export interface MediaMatches {
  /** Newest first, at most `limit`. */
  readonly ids: readonly string[];
  /** Number of all matches, regardless of `before`; only where it is known. */
  readonly total?: number;
  readonly totalExceeds?: number;
}

/**
 * Newest files that are compared one by one, over all brands; about a microsecond each. More are compared only when the first ones
 * show that they will fill the page.
 */
const FIRST_SCAN = 1_000;
const SECOND_SCAN = 10_000;
/** Of each brand at least this many. */
const SCANNED_OF_BRAND = 50;

interface Scan {
  readonly isComplete: boolean;
  /** All that the scan found. */
  readonly matches: number;
  /** Newest first, at most the limit. */
  readonly ids: readonly string[];
}

/** Matches that are read by the index on words and sorted at most. */
const MAX_SORTED = 3_000;

/**
 * Terms that more rows have are checked in each row when rarer ones are there: the index would read a million entries for a brand
 * that has a million files.
 */
const COMMON_ROWS = 100_000;
/** GIN collects all entries of a prefix before it returns a row. */
const COMMON_PREFIX_ROWS = 20_000;

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
             WHERE brand_id = mine.brand_id AND poster_of IS NULL AND id < $2
             ORDER BY id DESC LIMIT $5) AS newest) AS f),
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
     WHERE brand_id = mine.brand_id AND poster_of IS NULL AND id < $2 AND coalesce(search @@ $4::tsquery, false)
     ORDER BY id DESC LIMIT $3) AS f
   ORDER BY f.id DESC LIMIT $3`,
);

/** Of each term, by the statistics of the table. A parallel plan would have another shape: `pg_current_xact_id` forbids it. */
const estimates = (terms: number): string => {
  const one = (_: unknown, index: number) =>
    `SELECT pg_current_xact_id() FROM media.file WHERE search @@ $${index + 1}::tsquery`;
  return `EXPLAIN (FORMAT JSON) ${Array.from({ length: terms }, one).join(' UNION ALL ')}`;
};

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
    const newest = await this.amongNewest(wanted);
    if (newest.isComplete) return { ids: newest.ids, ...(isFirstPage ? { total: newest.matches } : {}) };
    if (newest.ids.length >= limit) return { ids: newest.ids };
    const all = await this.all(wanted);
    if (all.length <= MAX_SORTED) return { ids: firstOf(all, before, limit), total: all.length };
    const rows = await this.database.query<{ id: string }>(WALK, [brandIds, before, limit, queryOf(wanted)]);
    return { ids: rows.map(({ id }) => id), totalExceeds: MAX_SORTED };
  }

  private async amongNewest(wanted: MatchesToFind): Promise<Scan> {
    const first = await this.scan(wanted, FIRST_SCAN);
    const isFilled = first.isComplete || first.ids.length >= wanted.limit;
    const expected = (first.matches * SECOND_SCAN) / FIRST_SCAN;
    return isFilled || expected < wanted.limit ? first : this.scan(wanted, SECOND_SCAN);
  }

  private async scan(wanted: MatchesToFind, files: number): Promise<Scan> {
    const { brandIds, before, limit } = wanted;
    const perBrand = Math.max(SCANNED_OF_BRAND, Math.ceil(files / brandIds.length));
    const values = [brandIds, before, limit, queryOf(wanted), perBrand];
    const [scan] = await this.database.query<Scan>(SCAN, values);
    return scan ?? { isComplete: true, matches: 0, ids: [] };
  }

  /**
   * Up to `MAX_SORTED` + 1 ids in no order. Unnamed, so that it is planned for the given words; a condition for each term,
   * because GIN evaluates a query of several terms for each entry of its rarest term.
   */
  private async all({ brandIds, terms, prefix }: MatchesToFind): Promise<string[]> {
    const values = [termOfBrands(brandIds), ...terms, ...(prefix === null ? [] : [prefix])];
    const rows = await this.estimate(values);
    const rarest = Math.min(...rows);
    const conditions = values.map((value, index) => {
      const condition = `search @@ $${index + 1}::tsquery`;
      const estimated = rows[index] ?? 0;
      const isCommon = estimated > (value === prefix ? COMMON_PREFIX_ROWS : COMMON_ROWS);
      return isCommon && estimated > rarest ? `coalesce(${condition}, false)` : condition;
    });
    const sql = `SELECT id FROM media.file WHERE ${conditions.join(' AND ')} LIMIT ${MAX_SORTED + 1}`;
    return (await this.database.query<{ id: string }>(sql, values)).map(({ id }) => id);
  }

  private async estimate(terms: readonly string[]): Promise<number[]> {
    const [row] = await this.database.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
      estimates(terms.length),
      terms,
    );
    const plans = row?.['QUERY PLAN'][0].Plan.Plans ?? [];
    return terms.map((_, index) => plans[index]?.['Plan Rows'] ?? 0);
  }
}

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
