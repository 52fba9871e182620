import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { oneOfEach, otherSpelling, phoneDigits, searchWords, whatMayBeMeant } from './search-terms.js';

/** How a text is looked for: a condition on a row `c` of contacts.contact and how well the row fits, as real. */
export interface Match {
  readonly kind: 'words' | 'phone' | 'parts' | 'slips';
  readonly condition: string;
  readonly score: string;
  /** Which rows come first where too many fit to rank them all, as an integer: 0 is best, then 1 and so on. */
  readonly precedence: string;
  /** A condition that finds the rows with all words in the name by an index; `false` where there is none. */
  readonly named: string;
  /** What $2, $3 … of the conditions and the others stand for; $1 is for the caller. */
  readonly values: readonly unknown[];
}

const FOLD = statement('fold_words', 'SELECT contacts.words($1) AS folded');

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
    yield asWords(words);
    const digits = phoneDigits(text);
    if (digits !== null) yield asPhone(digits);
    // Shorter ones have no trigrams: every contact would have to be read.
    if (words.some((word) => [...word].length >= 3)) yield asParts(words);
    const meant = await this.known(whatMayBeMeant(await this.folded(words)));
    const slips = oneOfEach(meant);
    if (slips !== null) yield asSlips(slips, oneOfEach(meant, NAME_MARK));
  }

  private async folded(words: readonly string[]): Promise<string[]> {
    const [row] = await this.database.query<{ folded: string }>(FOLD, [words.join(' ')]);
    return row?.folded.split(/\s+/).filter((word) => word !== '') ?? [];
  }

  /** Of each group the words that some contact has. */
  private async known(groups: readonly string[][]): Promise<string[][]> {
    const rows = await this.database.query<{ word: string }>(KNOWN, [groups.flat()]);
    const known = new Set(rows.map(({ word }) => word));
    return groups.map((group) => group.filter((word) => known.has(word)));
  }
}

/** All words in the name, or in name and email. */
const precedenceOf = (query: string) => `CASE WHEN ts_filter(c.search, '{a}') @@ ${query} THEN 0
  WHEN ts_filter(c.search, '{a,b}') @@ ${query} THEN 1 ELSE 2 END`;

/**
 * All of them, in any order, the last one as a beginning. A word with an umlaut is found in each of its spellings, as it was
 * typed first.
 */
function asWords(words: readonly string[]): Match {
  const [either, typed] = ['contacts.wanted($2::text[], $3::text[])', 'contacts.wanted($2::text[])'];
  const others = words.map(otherSpelling);
  const isTyped = others.some((other) => other !== null) ? `(c.search @@ ${typed})::int` : '0';
  return {
    kind: 'words',
    condition: `c.search @@ ${either}`,
    score: `ts_rank(c.search, ${either}) + ${isTyped}`,
    precedence: precedenceOf(either),
    named: 'c.search @@ contacts.wanted_in_name($2::text[], $3::text[])',
    values: [words, others],
  };
}

const asSlips = (query: string, named: string | null): Match => ({
  kind: 'slips',
  condition: 'c.search @@ $2::tsquery',
  score: 'ts_rank(c.search, $2::tsquery)',
  precedence: precedenceOf('$2::tsquery'),
  named: 'c.search @@ $3::tsquery',
  values: [query, named],
});

/** The digits of a phone number, the beginning of which may be missing. */
const asPhone = (digits: string): Match => ({
  kind: 'phone',
  condition: `c.haystack LIKE '%' || $2 || '%'`,
  score: '1',
  precedence: '1',
  named: 'false',
  values: [digits],
});

/** All of them inside of words. */
function asParts(words: readonly string[]): Match {
  const conditions = words.map((_, index) => `c.haystack LIKE '%' || contacts.fold($${index + 3}) || '%'`);
  return {
    kind: 'parts',
    condition: conditions.join(' AND '),
    score: 'public.word_similarity(contacts.fold($2), c.haystack)',
    precedence: '1',
    named: 'false',
    values: [words.join(' '), ...words],
  };
}
