import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { Database } from '#libs/database';
import type { ContactRow, ContactSummary } from '../views/contact.view.js';
import { CONTACT_COLUMNS, summaryOf } from '../views/contact.view.js';
import type { Match } from './contacts.search.js';
import { ContactSearch } from './contacts.search.js';

/** Where a page ended: how it was looked for, and the score and id of its last contact. */
export type SearchPlace = readonly [kind: string, score: number, id: string];

export interface SearchRequest {
  readonly text: string;
  readonly organizationIds: readonly string[];
  /** Soft-deleted ones instead of all others. */
  readonly deleted: boolean;
  readonly after: SearchPlace | null;
  /** So many are skipped. */
  readonly offset: number;
  readonly limit: number;
}

export interface ContactsMatching {
  readonly contacts: readonly { readonly contact: ContactSummary; readonly place: SearchPlace }[];
  /** Not known beyond `MAX_FOUND`. */
  readonly total?: number;
}

/**
 * Those that fit best first, newer ones first among equals. Ranked are up to `MAX_FOUND`: of more that fit, those whose
 * name or then address does. Whoever else is to be found among so many types another word.
 */
export class SearchContacts extends Query<ContactsMatching> {
  constructor(readonly request: SearchRequest) {
    super();
  }
}

export const MAX_FOUND = 1_000;

/** How many of a crowd are read at most, so that a word of every contact costs no more than a word of some thousand. */
const MAX_READ = 5_000;

interface FoundRow extends ContactRow {
  readonly score: number;
  readonly total: number;
  readonly isCrowd: boolean;
}

@QueryHandler(SearchContacts)
export class SearchContactsHandler implements IQueryHandler<SearchContacts> {
  constructor(
    private readonly database: Database,
    private readonly search: ContactSearch,
  ) {}

  async execute({ request }: SearchContacts): Promise<ContactsMatching> {
    const begun = request.after?.[0];
    for await (const match of this.search.waysToFind(request.text)) {
      const crowd = crowdOf(match);
      if (begun !== undefined && begun !== match.kind && begun !== crowd) continue;
      const rows = await this.find(match, request, isCrowd(request, begun, crowd));
      const kind = rows[0]?.isCrowd ? crowd : match.kind;
      if (rows.length > 0 || begun !== undefined) return matching(kind, rows);
    }
    return { contacts: [], total: 0 };
  }

  /**
   * Planned anew each time, because what is best for a rare word is the worst for a common one; and the match first, as if
   * many of it were needed: told of the limit of a page, the planner reads all contacts in the hope of meeting some soon.
   */
  private find(match: Match, request: SearchRequest, crowd: boolean | null): Promise<FoundRow[]> {
    const { organizationIds, deleted, after, offset, limit } = request;
    const [, score = null, id = null] = after ?? [];
    const values = [organizationIds, ...match.values, match.named, crowd, score, id, limit, offset];
    const [named, isCrowd, atScore, atId, atLimit, atOffset] = [5, 4, 3, 2, 1, 0].map(
      (last) => `$${values.length - last}`,
    );
    const mine = `c.organization_id = ANY($1::uuid[]) AND c.deleted_at IS ${deleted ? 'NOT ' : ''}NULL`;
    return this.database.query<FoundRow>(
      `WITH ${found(match, mine, `c.search @@ ${named}::tsquery`, `${isCrowd}::boolean`)},
       page AS (
         SELECT id, score FROM found
         WHERE ${atScore}::real IS NULL OR (score, id) < (${atScore}::real, ${atId}::uuid)
         ORDER BY score DESC, id DESC LIMIT ${atLimit} OFFSET ${atOffset})
       SELECT page.score, size.fitting::int AS total, size."isCrowd", ${CONTACT_COLUMNS}
       FROM page JOIN contacts.contact USING (id) CROSS JOIN size ORDER BY page.score DESC, id DESC`,
      values,
    );
  }
}

/**
 * CTEs, of which `found` has id and score of the rows `c` of contacts.contact that are ranked, and `size` whether they are
 * too many. Where they are: those with all words in the name, found by their own words in the index; then the others
 * among the first `MAX_READ` that were met, best precedence first, and of equals the older ones: who is added between two
 * pages has a greater id and displaces no other. Where all that were met first are named, they are the ones that `named` finds.
 *
 * PostgreSQL evaluates of a CTE only as many rows as are fetched ("WITH Queries"): of `matching` those that are counted, and
 * all only for `others`.
 */
const found = ({ condition, score, precedence }: Match, mine: string, named: string, crowd: string) => `
  matching AS MATERIALIZED (
    SELECT c.id, c.search, (${score})::real AS score FROM contacts.contact c WHERE ${mine} AND ${condition} LIMIT ${MAX_READ}),
  counted AS (
    SELECT count(*) AS fitting, bool_and(${named}) IS TRUE AS "areNamed"
    FROM (SELECT c.search FROM matching c LIMIT ${MAX_FOUND + 1}) AS c),
  size AS MATERIALIZED (
    SELECT *, "isCrowd" AND NOT "areNamed" AS "isMixed"
    FROM (SELECT *, coalesce(${crowd}, fitting > ${MAX_FOUND}) AS "isCrowd" FROM counted) AS judged),
  named AS MATERIALIZED (
    SELECT c.id, (${score})::real AS score FROM contacts.contact c
    WHERE (SELECT "isMixed" FROM size) AND ${mine} AND ${named} LIMIT ${MAX_FOUND}),
  others AS (
    SELECT c.id, c.score, ${precedence} AS precedence FROM matching c
    WHERE (SELECT "isMixed" FROM size) AND (SELECT count(*) FROM named) < ${MAX_FOUND}
      AND c.id NOT IN (SELECT id FROM named)),
  found AS MATERIALIZED (
    (SELECT id, score FROM matching WHERE NOT (SELECT "isMixed" FROM size) LIMIT ${MAX_FOUND})
    UNION ALL
    (SELECT id, score FROM (TABLE others UNION ALL SELECT id, score, 0 FROM named) AS crowd
     ORDER BY precedence, id LIMIT ${MAX_FOUND}))`;

/** How places of a list are called where too many fit. */
const crowdOf = ({ kind }: Match) => `crowd of ${kind}`;

/** A list goes on as it began, whatever is added; and one letter, which a quarter of all may have, is never a choice. Null: as many as fit decide. */
function isCrowd({ text }: SearchRequest, begun: string | undefined, crowd: string): boolean | null {
  if (begun !== undefined) return begun === crowd;
  return [...text.trim()].length > 1 ? null : false;
}

function matching(kind: string, rows: readonly FoundRow[]): ContactsMatching {
  const contacts = rows.map((row) => ({
    contact: summaryOf(row),
    place: [kind, row.score, row.id] as const,
  }));
  const total = rows[0]?.total;
  return total === undefined || total > MAX_FOUND ? { contacts } : { contacts, total };
}
