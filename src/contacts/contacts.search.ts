import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { oneOfEach, searchWords, whatMayBeMeant } from './search-terms.js';

/** How a text is looked for: a condition on a row `c` of contacts.contact and how well the row fits, as real. */
export interface Match {
  readonly kind: 'words' | 'parts' | 'slips';
  readonly condition: string;
  readonly score: string;
  /** Who comes first where there are too many to be ranked, as an integer: 0 is as good as can be, then 1 and so on. */
  readonly precedence: string;
  /** What $2, $3 … of the condition and the others stand for; $1 is for whoever asks. */
  readonly values: readonly unknown[];
}

const FOLD = statement('fold_words', 'SELECT contacts.words($1) AS folded');

/** Asked one by one: hundreds of them in one condition would be weighed against every contact that has any of them. */
const KNOWN = statement(
  'find_known_words',
  `SELECT word FROM unnest($1::text[]) AS given (word)
   WHERE EXISTS (SELECT FROM contacts.contact c WHERE c.search @@ ('''' || word || '''')::tsquery)`,
);

/** The ways to look for what a person typed, best first; the next one is for when nobody is found. */
@Injectable()
export class ContactSearch {
  constructor(private readonly database: Database) {}

  /** Ends at once when there is nothing to look for in the text. */
  async *waysToFind(text: string): AsyncGenerator<Match> {
    const words = searchWords(text);
    if (words.length === 0) return;
    yield asWords(words);
    // Shorter ones have no trigrams: every contact would have to be read.
    if (words.some((word) => [...word].length >= 3)) yield asParts(words);
    const slips = oneOfEach(await this.known(whatMayBeMeant(await this.folded(words))));
    if (slips !== null) yield asQuery('slips', '$2::tsquery', slips);
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

/** All of them, in any order, the last one as a beginning. */
const asWords = (words: readonly string[]) => asQuery('words', 'contacts.wanted($2::text[])', words);

const asQuery = (kind: Match['kind'], query: string, value: unknown): Match => ({
  kind,
  condition: `c.search @@ ${query}`,
  score: `ts_rank(c.search, ${query})`,
  // All words in the name, or in name and email.
  precedence: `CASE WHEN ts_filter(c.search, '{a}') @@ ${query} THEN 0
                    WHEN ts_filter(c.search, '{a,b}') @@ ${query} THEN 1 ELSE 2 END`,
  values: [value],
});

/** All of them inside of words. */
function asParts(words: readonly string[]): Match {
  const conditions = words.map((_, index) => `c.haystack LIKE '%' || contacts.fold($${index + 3}) || '%'`);
  return {
    kind: 'parts',
    condition: conditions.join(' AND '),
    score: 'public.word_similarity(contacts.fold($2), c.haystack)',
    precedence: '1',
    values: [words.join(' '), ...words],
  };
}
