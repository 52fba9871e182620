import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Database } from '#libs/database';
import { counted, MAX_TOTAL } from '#libs/http';
import { RequestQuery } from '#libs/messages';
import { CONTACT_COLUMNS, type ContactRow, summaryOf } from '../views/contact.view.js';
import { ContactSearch, type SearchStrategy } from './contacts.search.js';
import type { ContactsFound } from './list-contacts.js';

/** Where a page ended: the strategy, 1 if only the first `MAX_RANKED` matches were ranked, and score and id of the last contact. */
export type SearchPlace = readonly [kind: string, isTruncated: 0 | 1, score: number, id: string];

export interface SearchRequest {
  readonly text: string;
  readonly organizationIds: readonly string[];
  /** Soft-deleted contacts instead of all others. */
  readonly deleted: boolean;
  readonly after: SearchPlace | null;
  readonly offset: number;
  readonly limit: number;
}

/**
 * Best match first; of equal scores the newer contact first. At most `MAX_RANKED` matches are ranked: of more, those with
 * all words in the name, then those with all words in name or email, and of equals the older ones.
 */
export class SearchContacts extends RequestQuery<SearchRequest, ContactsFound> {}

export const MAX_RANKED = MAX_TOTAL;

/**
 * Of up to this many matches the ranked ones are independent of the plan of the database and of the place of rows in the
 * table. To read 5 000 instead doubles the time of a search for a common surname among a million contacts.
 */
const MAX_SORTED = 1_500;

/** Matches that are read at most: a word that every contact has costs no more than a word of some thousand. */
const MAX_READ = 5_000;

type FoundRow = { readonly matches: number; readonly isTruncated: boolean } & (
  (ContactRow & { readonly score: number }) | { readonly id: null }
);

@QueryHandler(SearchContacts)
export class SearchContactsHandler implements IQueryHandler<SearchContacts> {
  constructor(
    private readonly database: Database,
    private readonly search: ContactSearch,
  ) {}

  async execute({ request }: SearchContacts): Promise<ContactsFound> {
    const kind = request.after?.[0];
    for await (const strategy of this.search.strategiesFor(request.text, request.organizationIds)) {
      if (kind !== undefined && kind !== strategy.kind) continue;
      const rows = await this.find(strategy, request);
      const matches = rows[0]?.matches ?? 0;
      if (matches > 0 || kind !== undefined) return matching(strategy, rows, matches);
    }
    return { contacts: [], total: 0 };
  }

  /** Unnamed, so that it is planned for the given words: the best plan for a rare word is the worst for a common one. */
  private find(strategy: SearchStrategy, request: SearchRequest): Promise<FoundRow[]> {
    const { organizationIds, deleted, after, offset, limit } = request;
    const [, , score = null, id = null] = after ?? [];
    const values = [
      organizationIds,
      ...strategy.values,
      strategy.inName,
      truncation(request),
      score,
      id,
      limit,
      offset,
    ];
    const [inName, isTruncated, atScore, atId, atLimit, atOffset] = [5, 4, 3, 2, 1, 0].map(
      (fromEnd) => `$${values.length - fromEnd}`,
    );
    const visible = `c.organization_id = ANY($1::uuid[]) AND c.deleted_at IS ${deleted ? 'NOT ' : ''}NULL`;
    const ranked = rankedMatches(
      strategy,
      visible,
      `c.search @@ ${inName}::tsquery`,
      `${isTruncated}::boolean`,
    );
    return this.database.query<FoundRow>(
      `WITH ${ranked},
       page AS (
         SELECT id, score FROM ranked
         WHERE ${atScore}::real IS NULL OR (score, id) < (${atScore}::real, ${atId}::uuid)
         ORDER BY score DESC, id DESC LIMIT ${atLimit} OFFSET ${atOffset})
       SELECT size.matches::int AS matches, size."isTruncated", found.*
       FROM size LEFT JOIN (SELECT page.score, ${CONTACT_COLUMNS} FROM page JOIN contacts.contact USING (id)) AS found ON true
       ORDER BY found.score DESC, found.id DESC`,
      values,
    );
  }
}

/** What scores and precedences of strategies are computed from. */
const COLUMNS = 'c.id, c.search, c.haystack, c.phones';

/**
 * CTEs, of which `ranked` has id and score of the ranked contacts and `size` the number of matches, counted up to
 * `MAX_SORTED` + 1.
 *
 * `matching` is read without an order, because PostgreSQL would walk the index of the order in the hope of some early
 * matches; of a CTE it reads only the rows that are fetched. When there are too many matches to sort and some are not in the
 * name, contacts with all words in the name are read by their own words in the index.
 */
const rankedMatches = (
  { condition, score, precedence }: SearchStrategy,
  visible: string,
  inName: string,
  isTruncated: string,
) => `
  matching AS MATERIALIZED (
    SELECT ${COLUMNS} FROM contacts.contact c WHERE ${visible} AND ${condition} LIMIT ${MAX_READ}),
  counted AS MATERIALIZED (SELECT * FROM matching LIMIT ${MAX_SORTED + 1}),
  size AS MATERIALIZED (
    SELECT matches, "isTruncated",
      "isTruncated" AND (SELECT bool_and(${inName}) IS NOT TRUE FROM counted c) AS "hasPrecedence"
    FROM (SELECT count(*) AS matches, coalesce(${isTruncated}, count(*) > ${MAX_RANKED}) AS "isTruncated" FROM counted) AS totals),
  named AS MATERIALIZED (
    SELECT ${COLUMNS} FROM contacts.contact c
    WHERE (SELECT "hasPrecedence" AND matches > ${MAX_SORTED} FROM size) AND ${visible} AND ${inName}
    LIMIT ${MAX_SORTED}),
  others AS (
    SELECT ${COLUMNS}, CASE WHEN (SELECT "hasPrecedence" FROM size) THEN ${precedence} ELSE 0 END AS precedence
    FROM (TABLE matching LIMIT (SELECT CASE WHEN "hasPrecedence" THEN ${MAX_READ} ELSE ${MAX_SORTED + 1} END FROM size)) AS c
    WHERE (SELECT count(*) FROM named) < ${MAX_RANKED} AND c.id NOT IN (SELECT id FROM named)),
  first AS (
    SELECT * FROM (SELECT ${COLUMNS}, 0 AS precedence FROM named c UNION ALL TABLE others) AS candidates
    ORDER BY precedence, id LIMIT ${MAX_RANKED}),
  ranked AS MATERIALIZED (SELECT c.id, (${score})::real AS score FROM first c)`;

/**
 * Whether precedence decides which matches are ranked; null: when there are more than can be ranked. Later pages keep the
 * decision of the first one. A single letter, which a quarter of all contacts can have, has no precedence.
 */
function truncation({ text, after }: SearchRequest): boolean | null {
  if (after) return after[1] === 1;
  return [...text.trim()].length > 1 ? null : false;
}

function matching({ kind }: SearchStrategy, rows: readonly FoundRow[], matches: number): ContactsFound {
  const contacts = rows.flatMap((row) => {
    if (row.id === null) return [];
    const place = [kind, row.isTruncated ? 1 : 0, row.score, row.id] as const;
    return [{ contact: summaryOf(row), place }];
  });
  return { contacts, ...counted(matches) };
}
