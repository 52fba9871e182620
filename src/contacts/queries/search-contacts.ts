import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { Database } from '#libs/database';
import type { ContactRow, ContactSummary } from '../contact.view.js';
import { CONTACT_COLUMNS, summaryOf } from '../contact.view.js';
import type { Match } from '../contacts.search.js';
import { ContactSearch } from '../contacts.search.js';

/** Where a page ended: how it was looked for, and the score and id of its last contact. */
export type SearchPlace = readonly [kind: string, score: number, id: string];

export interface SearchRequest {
  readonly text: string;
  readonly organizationIds: readonly string[];
  /** Soft-deleted ones instead of all others. */
  readonly deleted: boolean;
  readonly after: SearchPlace | null;
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

interface FoundRow extends ContactRow {
  readonly score: number;
  readonly total: number;
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
      if (begun === crowd) return matching(crowd, await this.find(match, request, mostFitting));
      if (begun !== undefined && begun !== match.kind) continue;
      const rows = await this.find(match, request, whoeverFits);
      // A list that began with fewer ends as it began; and nobody stops at one letter, which a quarter of all may have.
      const isChoice = begun === undefined && [...request.text.trim()].length > 1;
      const isCrowd = isChoice && (rows[0]?.total ?? 0) > MAX_FOUND;
      if (isCrowd) return matching(crowd, await this.find(match, request, mostFitting));
      if (rows.length > 0 || begun !== undefined) return matching(match.kind, rows);
    }
    return { contacts: [], total: 0 };
  }

  /**
   * Planned anew each time, because what is best for a rare word is the worst for a common one; and the match first,
   * as if all of it were needed: told of the limit, the planner reads all contacts in the hope of meeting some soon.
   */
  private find(match: Match, request: SearchRequest, choice: Choice): Promise<FoundRow[]> {
    const { organizationIds, deleted, after, limit } = request;
    const [, score = null, id = null] = after ?? [];
    const values = [organizationIds, ...match.values, score, id, limit];
    const [atScore, atId, atLimit] = [-2, -1, 0].map((offset) => `$${values.length + offset}`);
    const fits = `c.organization_id = ANY($1::uuid[]) AND c.deleted_at IS ${deleted ? 'NOT ' : ''}NULL
      AND ${match.condition}`;
    return this.database.query<FoundRow>(
      `WITH ${choice(match, fits)},
       page AS (
         SELECT id, score FROM found
         WHERE ${atScore}::real IS NULL OR (score, id) < (${atScore}::real, ${atId}::uuid)
         ORDER BY score DESC, id DESC LIMIT ${atLimit})
       SELECT page.score, (SELECT count(*)::int FROM found) AS total, ${CONTACT_COLUMNS}
       FROM page JOIN contacts.contact USING (id) ORDER BY page.score DESC, id DESC`,
      values,
    );
  }
}

/** Which of the rows `c` of contacts.contact that fit are found: a CTE of that name, of id and score. */
type Choice = (match: Match, fits: string) => string;

/** One more than are ranked, to know whether there are more; whichever are met first. */
const whoeverFits: Choice = ({ score }, fits) => `
  matching AS MATERIALIZED (SELECT c.id, (${score})::real AS score FROM contacts.contact c WHERE ${fits}),
  found AS MATERIALIZED (SELECT id, score FROM matching LIMIT ${MAX_FOUND + 1})`;

/**
 * Those with the best precedence, whichever are met first where they are enough: then not all that fit are read. Else the
 * best of all that fit, of equals the older ones: who comes between two pages has a greater id and displaces nobody.
 */
const mostFitting: Choice = ({ score, precedence }, fits) => `
  best AS MATERIALIZED (SELECT c.id FROM contacts.contact c WHERE ${fits} AND (${precedence}) = 0),
  enough AS MATERIALIZED (SELECT id FROM best LIMIT ${MAX_FOUND}),
  matching AS MATERIALIZED (
    SELECT c.id, ${precedence} AS precedence FROM contacts.contact c
    WHERE (SELECT count(*) FROM enough) < ${MAX_FOUND} AND ${fits}),
  first AS (
    SELECT id FROM enough WHERE (SELECT count(*) FROM enough) = ${MAX_FOUND}
    UNION ALL (SELECT id FROM matching ORDER BY precedence, id LIMIT ${MAX_FOUND})),
  found AS MATERIALIZED (
    SELECT c.id, (${score})::real AS score FROM first JOIN contacts.contact c USING (id))`;

/** How places of a list are called where too many fit. */
const crowdOf = ({ kind }: Match) => `crowd of ${kind}`;

function matching(kind: string, rows: readonly FoundRow[]): ContactsMatching {
  const contacts = rows.map((row) => ({
    contact: summaryOf(row),
    place: [kind, row.score, row.id] as const,
  }));
  const total = kind.startsWith('crowd') ? undefined : rows[0]?.total;
  return total === undefined || total > MAX_FOUND ? { contacts } : { contacts, total };
}
