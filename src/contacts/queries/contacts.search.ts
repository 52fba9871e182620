import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import {
  lastDigits,
  oneOfEach,
  otherSpelling,
  phoneDigits,
  searchWords,
  whatMayBeMeant,
} from '../domain/search-terms.js';

/** How a text is looked for: a condition on a row `c` of contacts.contact and how well the row fits, as real. */
export interface Match {
  readonly kind: 'words' | 'parts' | 'slips';
  readonly condition: string;
  readonly score: string;
  /** Which rows come first where too many fit to rank them all, as an integer: 0 is best, then 1 and so on. */
  readonly precedence: string;
  /** What $2, $3 … of these three stand for; $1 is for the caller. */
  readonly values: readonly (string | null)[];
  /** A tsquery on `c.search` that finds the rows with all words in the name; null where there is none. */
  readonly named: string | null;
}

/** As the text of a tsquery each; null where the words hold nothing to look for. */
interface Queries {
  readonly wanted: string | null;
  /** Without other spellings. */
  readonly typed: string | null;
  readonly named: string | null;
  readonly folded: string;
}

/** Once for each text: inside of the search, each place that names a query would compute it again. */
const QUERIES = statement(
  'make_search_queries',
  `SELECT contacts.wanted($1::text[], $2::text[])::text AS wanted, contacts.wanted($1::text[])::text AS typed,
     contacts.wanted_in_name($1::text[], $2::text[])::text AS named, contacts.words(array_to_string($1::text[], ' ')) AS folded`,
);

/** Looked up one by one: hundreds of them in one condition would be weighed against every contact that has any of them. */
const KNOWN = statement(
  'find_known_words',
  `SELECT word FROM unnest($1::text[]) AS given (word)
   WHERE EXISTS (SELECT FROM contacts.contact c WHERE c.search @@ ('''' || word || '''')::tsquery)`,
);

/** What marks the words of a name in the index, see the migration that writes it. */
const NAME_MARK = '~';

/** The ways to look for what a person typed, best first; the next one is for when no contact is found. */
@Injectable()
export class ContactSearch {
  constructor(private readonly database: Database) {}

  /** Ends at once when there is nothing to look for in the text. */
  async *waysToFind(text: string): AsyncGenerator<Match> {
    const words = searchWords(text);
    if (words.length === 0) return;
    const others = words.map(otherSpelling);
    const queries = await this.queries(words, others);
    const digits = phoneDigits(text);
    if (queries.wanted !== null) yield orPhone(asWords(queries.wanted, queries), digits);
    // Shorter ones have no trigrams: every contact would have to be read.
    if (words.some((word) => [...word].length >= 3)) yield asParts(words);
    const meant = await this.known(whatMayBeMeant(queries.folded.split(/\s+/).filter((word) => word !== '')));
    const slips = oneOfEach(meant);
    if (slips !== null) yield asSlips(slips, oneOfEach(meant, NAME_MARK));
  }

  private async queries(words: readonly string[], others: readonly (string | null)[]): Promise<Queries> {
    const [queries] = await this.database.query<Queries>(QUERIES, [words, others]);
    return queries ?? { wanted: null, typed: null, named: null, folded: '' };
  }

  /** Of each group the words that some contact has. */
  private async known(groups: readonly string[][]): Promise<string[][]> {
    const rows = await this.database.query<{ word: string }>(KNOWN, [groups.flat()]);
    const known = new Set(rows.map(({ word }) => word));
    return groups.map((group) => group.filter((word) => known.has(word)));
  }
}

/**
 * All of them, in any order, the last one as a beginning. A word with an umlaut is found in each of its spellings, as it was
 * typed first.
 */
function asWords(wanted: string, { typed, named }: Queries): Match {
  const match = asQuery('words', wanted, named);
  if (typed === null || typed === wanted) return match;
  return { ...match, score: `${match.score} + (c.search @@ $3::tsquery)::int`, values: [wanted, typed] };
}

const asSlips = (slips: string, named: string | null): Match => asQuery('slips', slips, named);

const asQuery = (kind: Match['kind'], query: string, named: string | null): Match => ({
  kind,
  condition: 'c.search @@ $2::tsquery',
  score: 'ts_rank(c.search, $2::tsquery)',
  // All words in the name, or in name and email.
  precedence: `CASE WHEN ts_filter(c.search, '{a}') @@ $2::tsquery THEN 0
    WHEN ts_filter(c.search, '{a,b}') @@ $2::tsquery THEN 1 ELSE 2 END`,
  values: [query],
  named,
});

/** What `score` adds for an exact phone number: more than any rank of words. */
const EXACT = 2;

/**
 * The same, and all with the digits in a phone number, those of which it is the number first. Both conditions in one, so that an
 * external id of these digits hides no phone. `haystack` finds them by its index; of its digits only those of phones count.
 */
function orPhone(match: Match, digits: string | null): Match {
  if (digits === null) return match;
  const value = `$${match.values.length + 2}`;
  const [contains, key] = [`LIKE '%' || ${value} || '%'`, `ltrim(contacts.phone_key(phone), '0')`];
  const isExact = `${value} IN (SELECT ${key} FROM unnest(c.phones) AS phone)`;
  return {
    ...match,
    condition: `(${match.condition} OR (c.haystack ${contains} AND contacts.digits(c.phones) ${contains}))`,
    score: `${match.score} + CASE WHEN ${isExact} THEN ${EXACT} ELSE 0 END`,
    precedence: `CASE WHEN c.score >= ${EXACT} THEN 0 ELSE ${match.precedence} END`,
    values: [...match.values, lastDigits(digits)],
  };
}

/** All of them inside of words. */
function asParts(words: readonly string[]): Match {
  const conditions = words.map((_, index) => `c.haystack LIKE '%' || contacts.fold($${index + 3}) || '%'`);
  return {
    kind: 'parts',
    condition: conditions.join(' AND '),
    score: 'public.word_similarity(contacts.fold($2), c.haystack)',
    precedence: '1',
    values: [words.join(' '), ...words],
    named: null,
  };
}
