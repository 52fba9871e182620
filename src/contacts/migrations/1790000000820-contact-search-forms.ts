import type { MigrationInterface, QueryRunner } from 'typeorm';
import { JOINED } from './1790000000800-contact.js';
import { COLUMNS, FUNCTIONS as FORMER_FUNCTIONS, GIN_INDEXES } from './1790000000803-contact-search.js';

/**
 * Words of one person in other forms fold to one: final sigma, Arabic and Hebrew vowel marks, invisible joiners. Further
 * addresses, department, job title, external id and phone numbers are searched too. The words of a name are in the index a second time, marked with `~`,
 * which no word holds, so that a name is found among any number of companies and addresses with the same word.
 */
export class ContactSearchForms1790000000820 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contacts.contact DROP COLUMN search, DROP COLUMN haystack');
    for (const definition of FUNCTIONS) await runner.query(`CREATE OR REPLACE FUNCTION ${definition}`);
    await runner.query(`
      ALTER TABLE contacts.contact
        ADD COLUMN search tsvector NOT NULL GENERATED ALWAYS AS (${wordsOfContact(SPELLED)}) STORED,
        ADD COLUMN haystack text NOT NULL GENERATED ALWAYS AS (
          contacts.fold(coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || contacts.joined(additional_emails) || ' ' ||
            coalesce(company, '') || ' ' || coalesce(department, '') || ' ' || contacts.joined(tags) || ' ' || coalesce(job_title, '') || ' ' || coalesce(external_id, '') || ' ' ||
            contacts.digits(phones))) STORED`);
    for (const index of [...GIN_INDEXES, BY_NAME]) await runner.query(`CREATE INDEX ${index}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contacts.contact DROP COLUMN search, DROP COLUMN haystack');
    await runner.query('DROP INDEX contacts.contact_by_name');
    await runner.query(
      `DROP FUNCTION contacts.sort_name(text, text), contacts.wanted_in_name(text[], text[]), contacts.wanted(text[], text[]), contacts.name_marks(text),
         contacts.digits(text[])`,
    );
    for (const definition of [...FORMER_FUNCTIONS, JOINED])
      await runner.query(`CREATE OR REPLACE FUNCTION ${definition}`);
    await runner.query(`ALTER TABLE contacts.contact ${COLUMNS}`);
    for (const index of GIN_INDEXES) await runner.query(`CREATE INDEX ${index}`);
  }
}

/** Addresses as they were entered. */
export const SPELLED = `coalesce(email, '') || ' ' || contacts.joined(additional_emails)`;

/** Later migrations add to it. @param emails SQL of all addresses as one text */
export const wordsOfContact = (emails: string): string => `
  setweight(to_tsvector('simple', contacts.words(name)), 'A') ||
  setweight(to_tsvector('simple',
    contacts.words(${emails})), 'B') ||
  setweight(to_tsvector('simple', contacts.words(coalesce(company, '') || ' ' || coalesce(department, '') || ' ' || coalesce(job_title, ''))), 'C') ||
  setweight(to_tsvector('simple',
    contacts.words(contacts.joined(tags) || ' ' || coalesce(external_id, ''))), 'D') ||
  array_to_tsvector(contacts.name_marks(name))`;

const BY_NAME =
  'contact_by_name ON contacts.contact (organization_id, contacts.sort_name(name, email), id) WHERE deleted_at IS NULL';

/** Unicode code points, both ends included: soft hyphen, direction marks, joiners, word joiner, BOM; tatweel; Arabic and Hebrew vowel marks. */
export const REMOVED: readonly (readonly [number, number])[] = [
  ...[0x00ad, 0x061c, 0x2060, 0xfeff, 0x0640, 0x0670, 0x05bf, 0x05c7].map((one) => [one, one] as const),
  [0x200c, 0x200f],
  [0x064b, 0x065f],
  [0x06d6, 0x06dc],
  [0x06df, 0x06e4],
  [0x0591, 0x05bd],
  [0x05c1, 0x05c2],
  [0x05c4, 0x05c5],
];
const characters = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, n) => String.fromCodePoint(first + n)).join('');
/**
 * `contacts.fold`. A later migration removes more. `translate` compares every character with its whole list, and few texts have any
 * of them. What has no counterpart is removed.
 */
export function foldWithout(removed: typeof REMOVED): string {
  const ranges = removed.map(([first, last]) => `${characters(first, first)}-${characters(last, last)}`);
  const all = removed.map(([first, last]) => characters(first, last));
  return `contacts.fold(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   DECLARE folded text;
   BEGIN
     IF value IS NULL THEN RETURN ''; END IF;
     IF octet_length(value) = length(value) THEN RETURN lower(value); END IF;
     folded := lower(normalize(value, NFKC));
     IF folded ~ '[ς${ranges.join('')}]' THEN folded := translate(folded, 'ς${all.join('')}', 'σ'); END IF;
     RETURN public.unaccent('public.unaccent'::regdictionary, folded);
   END $$`;
}

/**
 * In PL/pgSQL where they call what is only stable (`array_to_string`): a function in SQL is then not inlined and costs several
 * times as much for every row.
 */
const FUNCTIONS = [
  foldWithout(REMOVED),
  `contacts.joined(list text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
   AS $$ BEGIN RETURN array_to_string(list, ' '); END $$`,
  // What lists by name are ordered by; cut, because an index holds no longer entries.
  `contacts.sort_name(name text, email text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
   AS $$ SELECT left(contacts.fold(coalesce(name, email)), 200) $$`,
  // Of each phone number, apart from the next one.
  String.raw`contacts.digits(phones text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
   AS $$ BEGIN RETURN regexp_replace(array_to_string(phones, '|'), '[^0-9|]', '', 'g'); END $$`,
  // A lexeme may have 2 046 bytes, the mark included. Where all words together are shorter, each is.
  `contacts.name_marks(value text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   DECLARE
     words text[] := tsvector_to_array(to_tsvector('simple', contacts.words(value)));
     joined text := array_to_string(words, ' ~');
   BEGIN
     IF joined = '' THEN RETURN '{}'; END IF;
     IF octet_length(joined) < 2046 THEN RETURN string_to_array('~' || joined, ' '); END IF;
     RETURN ARRAY(SELECT '~' || word FROM unnest(words) AS word WHERE octet_length(word) < 2046);
   END $$`,
  // Each word in one of two spellings. What one falls apart into must stand together; of the last one the beginning is enough.
  `contacts.wanted(given text[], others text[]) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT string_agg('(' || concat_ws(' | ', query || ending, other || ending) || ')', ' & ' ORDER BY number)::tsquery
     FROM (
       SELECT number, CASE WHEN number = cardinality(given) THEN ':*' ELSE '' END AS ending,
         nullif(phraseto_tsquery('simple', contacts.words(word))::text, '') AS query,
         nullif(phraseto_tsquery('simple', contacts.words(spelled))::text, '') AS other
       FROM unnest(given, others) WITH ORDINALITY AS one (word, spelled, number)) AS words
     WHERE query IS NOT NULL OR other IS NOT NULL $$`,
  // The same of marked words, without regard to which stand together: marks have no place in the name.
  `contacts.wanted_in_name(given text[], others text[]) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT string_agg('(' || concat_ws(' | ', query, other) || ')', ' & ' ORDER BY number)::tsquery
     FROM (
       SELECT number,
         (SELECT '(' || string_agg(quote_literal(mark) || ending, ' & ') || ')' FROM unnest(contacts.name_marks(word)) AS mark) AS query,
         (SELECT '(' || string_agg(quote_literal(mark) || ending, ' & ') || ')' FROM unnest(contacts.name_marks(spelled)) AS mark) AS other
       FROM (
         SELECT one.*, CASE WHEN number = cardinality(given) THEN ':*' ELSE '' END AS ending
         FROM unnest(given, others) WITH ORDINALITY AS one (word, spelled, number)) AS ended) AS words
     WHERE query IS NOT NULL OR other IS NOT NULL $$`,
];
