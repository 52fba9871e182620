import type { MigrationInterface, QueryRunner } from 'typeorm';
import { FOLD, SEARCH_COLUMNS, SEARCH_INDEXES } from './1790000000800-contact.js';

/**
 * Words are cut the same way when contacts are written and when they are looked for: at everything that is no letter or
 * digit, so that an address, `acme.com` and `2024-11` fall into parts and are found by each; and between the characters
 * of scripts that put no space between words. PostgreSQL's own parser would keep addresses, hosts, paths and signed
 * numbers whole.
 */
export class ContactSearch1790000000803 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contacts.contact DROP COLUMN search, DROP COLUMN haystack');
    for (const definition of FUNCTIONS) await runner.query(`CREATE OR REPLACE FUNCTION ${definition}`);
    await runner.query(`ALTER TABLE contacts.contact ${COLUMNS}`);
    for (const index of INDEXES) await runner.query(`CREATE INDEX ${index}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX contacts.contact_deleted_of_organization');
    await runner.query('ALTER TABLE contacts.contact DROP COLUMN search, DROP COLUMN haystack');
    await runner.query('DROP FUNCTION contacts.wanted(text[]), contacts.words(text)');
    await runner.query(`CREATE OR REPLACE FUNCTION ${FOLD}`);
    const columns = SEARCH_COLUMNS.map((column) => `ADD COLUMN ${column}`);
    await runner.query(`ALTER TABLE contacts.contact ${columns.join(', ')}`);
    for (const index of SEARCH_INDEXES) await runner.query(`CREATE INDEX ${index}`);
  }
}

/** Made once more by a later migration: the way back from there leads here. */
export const COLUMNS = `
  ADD COLUMN search tsvector NOT NULL GENERATED ALWAYS AS (
    setweight(to_tsvector('simple', contacts.words(name)), 'A') ||
    setweight(to_tsvector('simple', contacts.words(email)), 'B') ||
    setweight(to_tsvector('simple', contacts.words(company)), 'C') ||
    setweight(to_tsvector('simple', contacts.words(contacts.joined(tags))), 'D')) STORED,
  ADD COLUMN haystack text NOT NULL GENERATED ALWAYS AS (
    contacts.fold(coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(company, '') || ' ' ||
      contacts.joined(tags))) STORED`;

/**
 * `fastupdate` would keep what was just written in a list that each lookup reads as a whole: after some thousand new
 * contacts a search for slips, hundreds of lookups, took 400 ms instead of 6. Without it a row costs a third more to write.
 */
export const GIN_INDEXES = [
  'contact_search ON contacts.contact USING gin (search) WITH (fastupdate = off)',
  'contact_haystack ON contacts.contact USING gin (haystack public.gin_trgm_ops)',
];
const INDEXES = [
  ...GIN_INDEXES,
  'contact_deleted_of_organization ON contacts.contact (organization_id, id) WHERE deleted_at IS NOT NULL',
];

/**
 * Of the scripts without spaces: CJK radicals to unified ideographs with the kana and Hangul letters between them,
 * Hangul syllables, compatibility ideographs and the two ideographic planes.
 */
export const UNSPACED = String.raw`[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\U00020000-\U0003FFFF]`;

/**
 * In PL/pgSQL: every row passes through them several times, and a function in SQL that calls `unaccent` cannot be
 * inlined and costs three times as much. `unaccent` is immutable once its dictionary is named.
 */
export const FUNCTIONS = [
  `contacts.fold(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   BEGIN
     IF value IS NULL THEN RETURN ''; END IF;
     IF octet_length(value) = length(value) THEN RETURN lower(value); END IF;
     RETURN public.unaccent('public.unaccent'::regdictionary, lower(normalize(value, NFKC)));
   END $$`,
  `contacts.words(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   DECLARE
     spaced text := translate(contacts.fold(value), '!"#$%&''()*+,-./:;<=>?@[\\]^_\`{|}~', repeat(' ', 32));
   BEGIN
     IF octet_length(spaced) = length(spaced) THEN RETURN spaced; END IF;
     RETURN regexp_replace(spaced, '${UNSPACED}', ' \\& ', 'g');
   END $$`,
  // What one word falls apart into must stand together; of the last one the beginning is enough.
  `contacts.wanted(given text[]) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT (string_agg(query, ' & ' ORDER BY number) || ':*')::tsquery
     FROM (
       SELECT number, nullif(phraseto_tsquery('simple', contacts.words(word))::text, '') AS query
       FROM unnest(given) WITH ORDINALITY AS one (word, number)) AS words $$`,
];
