import type { MigrationInterface, QueryRunner } from 'typeorm';
import { GIN_INDEXES } from './1790000000803-contact-search.js';
import { SPELLED, wordsOfContact } from './1790000000820-contact-search-forms.js';

/**
 * Every word in the index of words begins with a mark of its organization, so that a search reads no contacts of others. Each
 * phone number is indexed from each of its digits on: a part of it is then the beginning of a word.
 */
export class SearchPerOrganization1790000001101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const definition of FUNCTIONS) await runner.query(`CREATE FUNCTION ${definition}`);
    await runner.query('DROP INDEX contacts.contact_haystack');
    await replaceSearch(runner, markedWords(SPELLED));
    for (const index of INDEXES) await runner.query(`CREATE INDEX ${index}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of ['contact_haystack', 'contact_deleted_by_name', 'contact_with_custom_fields'])
      await runner.query(`DROP INDEX contacts.${name}`);
    await replaceSearch(runner, wordsOfContact(SPELLED));
    for (const index of GIN_INDEXES.filter((one) => one.startsWith('contact_haystack')))
      await runner.query(`CREATE INDEX ${index}`);
    await runner.query(
      'DROP FUNCTION contacts.marked(tsvector, text), contacts.mark_of(uuid), contacts.phone_ends(text[])',
    );
  }
}

/** @param emails SQL of all addresses as one text */
export const markedWords = (emails: string): string =>
  `contacts.marked(${wordsOfContact(emails)} || array_to_tsvector(contacts.phone_ends(phones)), contacts.mark_of(organization_id))`;

export async function replaceSearch(runner: QueryRunner, expression: string): Promise<void> {
  await runner.query('ALTER TABLE contacts.contact DROP COLUMN search');
  await runner.query(
    `ALTER TABLE contacts.contact ADD COLUMN search tsvector NOT NULL GENERATED ALWAYS AS (${expression}) STORED`,
  );
  for (const index of GIN_INDEXES.filter((one) => one.startsWith('contact_search')))
    await runner.query(`CREATE INDEX ${index}`);
}

const INDEXES = [
  // Trigrams have no room for a mark. GIN reads a rare entry, such as the organization, and only looks into the frequent ones.
  `contact_haystack ON contacts.contact USING gin (haystack public.gin_trgm_ops, (ARRAY[organization_id]))`,
  `contact_deleted_by_name ON contacts.contact (organization_id, contacts.sort_name(name, email), id)
   WHERE deleted_at IS NOT NULL`,
  `contact_with_custom_fields ON contacts.contact (organization_id, id) WHERE custom_fields <> '{}'`,
];

/** A lexeme may have 2 046 bytes, the mark included. */
const LONGEST_WORD = 2_000;

const FUNCTIONS = [
  // The end of an id is random, whichever version of UUID it has. Two organizations with one mark only read more.
  `contacts.mark_of(organization uuid) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
   AS $$ SELECT right(organization::text, 8) $$`,
  `contacts.phone_ends(phones text[]) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   BEGIN
     IF cardinality(phones) = 0 THEN RETURN '{}'; END IF;
     RETURN ARRAY(
       SELECT DISTINCT '#' || substr(number, first)
       FROM unnest(string_to_array(contacts.digits(phones), '|')) AS number, generate_series(1, length(number) - 4) AS first);
   END $$`,
  // In the text of a tsvector each word begins with a quote; words hold neither quotes nor spaces.
  `contacts.marked(words tsvector, mark text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   BEGIN
     IF octet_length(words::text) > ${LONGEST_WORD} THEN
       words := ts_delete(words, ARRAY(SELECT lexeme FROM unnest(words) WHERE octet_length(lexeme) > ${LONGEST_WORD}));
     END IF;
     RETURN replace(' ' || words::text, ' ''', ' ''' || mark)::tsvector;
   END $$`,
];
