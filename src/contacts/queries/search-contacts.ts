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
 * Those that fit best first, newer ones first among equals. Ranked are the first `MAX_FOUND` that fit; whoever is to be
 * found among more of them types another word.
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
    for await (const match of this.search.waysToFind(request.text)) {
      if (request.after && request.after[0] !== match.kind) continue;
      const rows = await this.find(match, request);
      if (rows.length > 0 || request.after) return matching(match, rows);
    }
    return { contacts: [], total: 0 };
  }

  /**
   * Planned anew each time, because what is best for a rare word is the worst for a common one; and the match first,
   * as if all of it were needed: told of the limit, the planner reads all contacts in the hope of meeting some soon.
   */
  private find(match: Match, { organizationIds, deleted, after, limit }: SearchRequest): Promise<FoundRow[]> {
    const [, score = null, id = null] = after ?? [];
    const values = [organizationIds, ...match.values, score, id, limit];
    const [atScore, atId, atLimit] = [-2, -1, 0].map((offset) => `$${values.length + offset}`);
    return this.database.query<FoundRow>(
      `WITH matching AS MATERIALIZED (
         SELECT c.id, (${match.score})::real AS score FROM contacts.contact c
         WHERE c.organization_id = ANY($1::uuid[]) AND c.deleted_at IS ${deleted ? 'NOT ' : ''}NULL
           AND ${match.condition}),
       found AS MATERIALIZED (SELECT id, score FROM matching LIMIT ${MAX_FOUND + 1}),
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

function matching({ kind }: Match, rows: readonly FoundRow[]): ContactsMatching {
  const contacts = rows.map((row) => ({
    contact: summaryOf(row),
    place: [kind, row.score, row.id] as const,
  }));
  const total = rows[0]?.total;
  return total === undefined || total > MAX_FOUND ? { contacts } : { contacts, total };
}
