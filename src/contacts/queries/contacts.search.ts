import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import {
  lastDigits,
  oneOfEach,
  otherSpelling,
  phoneDigits,
  searchWords,
  spellingCandidates,
} from '../domain/search-terms.js';

/** SQL expressions over a row `c` of contacts.contact. */
export interface SearchStrategy {
  readonly kind: 'words' | 'parts' | 'typos';
  readonly condition: string;
  /** How well the row matches, as real; higher is better. */
  readonly score: string;
  /** Integer, 0 first: which rows are ranked when there are too many to rank all. */
  readonly precedence: string;
  /** Parameters $2, $3 … of these expressions; $1 belongs to the caller. */
  readonly values: readonly (string | readonly string[] | null)[];
  /** A tsquery on `c.search` for the rows with all words in the name; null without one. */
  readonly inName: string | null;
}

/** Texts of tsqueries; null when the words hold no searchable character. */
interface Queries {
  readonly wanted: string | null;
  /** Without other spellings. */
  readonly typed: string | null;
  readonly inName: string | null;
  readonly folded: string;
}

/** Computed once per text: inside the search, PostgreSQL would compute a query again for each reference. */
const QUERIES = statement(
  'make_search_queries',
  `SELECT contacts.wanted($1::text[], $2::text[])::text AS wanted, contacts.wanted($1::text[])::text AS typed,
     contacts.wanted_in_name($1::text[], $2::text[])::text AS "inName", contacts.words(array_to_string($1::text[], ' ')) AS folded`,
);

/** One index lookup per word: PostgreSQL would check hundreds of words in one condition against every matching contact. */
const KNOWN = statement(
  'find_known_words',
  `SELECT DISTINCT word FROM unnest($1::text[]) AS given (word) CROSS JOIN unnest($2::text[]) AS organizations (mark)
   WHERE EXISTS (SELECT FROM contacts.contact c WHERE c.search @@ ('''' || mark || word || '''')::tsquery)`,
);

/** Prefix of the words of a name in the index; the migration of the search columns writes it. */
const NAME_MARK = '~';
/** Prefix of the digits of a phone number, from each of its digits on. */
const PHONE_MARK = '#';

/** Prefix of every word of the contacts of an organization, as `contacts.mark_of` makes it. */
const markOf = (organizationId: string) => organizationId.slice(-8);

/** A tsquery restricted to organizations. @param query a text in which each word is quoted */
function within(organizationIds: readonly string[], query: string): string {
  const marked = organizationIds.map((id) => query.replaceAll(/'([^']*)'/g, `'${markOf(id)}$1'`));
  return marked.length === 1 ? (marked[0] as string) : marked.map((one) => `(${one})`).join(' | ');
}

/** The strategies for a typed text, best first. The next one applies only when no contact matches. */
@Injectable()
export class ContactSearch {
  constructor(private readonly database: Database) {}

  /** Nothing for a text without words. */
  async *strategiesFor(text: string, organizationIds: readonly string[]): AsyncGenerator<SearchStrategy> {
    const words = searchWords(text);
    if (words.length === 0 || organizationIds.length === 0) return;
    const others = words.map(otherSpelling);
    const queries = await this.queries(words, others, organizationIds);
    const digits = phoneDigits(text);
    if (queries.wanted !== null) yield orPhone(byWords(queries.wanted, queries), digits, organizationIds);
    // Shorter words have no trigrams: PostgreSQL would read every contact.
    if (words.some((word) => [...word].length >= 3)) yield byParts(words, organizationIds);
    const folded = queries.folded.split(/\s+/).filter((word) => word !== '');
    const candidates = await this.known(spellingCandidates(folded), organizationIds);
    const typos = oneOfEach(candidates);
    const inName = oneOfEach(candidates, NAME_MARK);
    if (typos !== null)
      yield byQuery('typos', within(organizationIds, typos), inName && within(organizationIds, inName));
  }

  private async queries(
    words: readonly string[],
    others: readonly (string | null)[],
    organizationIds: readonly string[],
  ): Promise<Queries> {
    const [queries] = await this.database.query<Queries>(QUERIES, [words, others]);
    const { wanted = null, typed = null, inName = null, folded = '' } = queries ?? {};
    const mine = (query: string | null) => query && within(organizationIds, query);
    return { wanted: mine(wanted), typed: mine(typed), inName: mine(inName), folded };
  }

  private async known(groups: readonly string[][], organizationIds: readonly string[]): Promise<string[][]> {
    const marks = organizationIds.map(markOf);
    const rows = await this.database.query<{ word: string }>(KNOWN, [groups.flat(), marks]);
    const known = new Set(rows.map(({ word }) => word));
    return groups.map((group) => group.filter((word) => known.has(word)));
  }
}

/** All words in any order, the last one as a prefix. Other spellings of a word match too; contacts with the typed one score higher. */
function byWords(wanted: string, { typed, inName }: Queries): SearchStrategy {
  const strategy = byQuery('words', wanted, inName);
  if (typed === null || typed === wanted) return strategy;
  return {
    ...strategy,
    score: `${strategy.score} + (c.search @@ $3::tsquery)::int`,
    values: [wanted, typed],
  };
}

const byQuery = (kind: SearchStrategy['kind'], query: string, inName: string | null): SearchStrategy => ({
  kind,
  condition: 'c.search @@ $2::tsquery',
  score: 'ts_rank(c.search, $2::tsquery)',
  // 0: all words in the name. 1: all words in name or email.
  precedence: `CASE WHEN ts_filter(c.search, '{a}') @@ $2::tsquery THEN 0
    WHEN ts_filter(c.search, '{a,b}') @@ $2::tsquery THEN 1 ELSE 2 END`,
  values: [query],
  inName,
});

/** Added to the score of an exact phone number: more than any rank of words. */
const EXACT = 2;

/**
 * Adds the contacts with the digits in a phone number; an exact number comes first. One condition for both, so that an
 * external id of these digits does not hide phones.
 */
function orPhone(
  strategy: SearchStrategy,
  typed: string | null,
  organizationIds: readonly string[],
): SearchStrategy {
  if (typed === null) return strategy;
  const digits = lastDigits(typed);
  const [value, part] = [2, 3].map((at) => `$${strategy.values.length + at}`);
  const key = `ltrim(contacts.phone_key(phone), '0')`;
  const isExact = `${value} IN (SELECT ${key} FROM unnest(c.phones) AS phone)`;
  return {
    ...strategy,
    condition: `(${strategy.condition} OR c.search @@ ${part}::tsquery)`,
    score: `${strategy.score} + CASE WHEN ${isExact} THEN ${EXACT} ELSE 0 END`,
    precedence: `CASE WHEN ${isExact} THEN 0 ELSE ${strategy.precedence} END`,
    values: [...strategy.values, digits, within(organizationIds, `'${PHONE_MARK}${digits}':*`)],
  };
}

function byParts(words: readonly string[], organizationIds: readonly string[]): SearchStrategy {
  const conditions = words.map((_, index) => `c.haystack LIKE '%' || contacts.fold($${index + 3}) || '%'`);
  return {
    kind: 'parts',
    condition: [...conditions, `ARRAY[c.organization_id] && $${words.length + 3}::uuid[]`].join(' AND '),
    score: 'public.word_similarity(contacts.fold($2), c.haystack)',
    precedence: '1',
    values: [words.join(' '), ...words, organizationIds],
    inName: null,
  };
}
