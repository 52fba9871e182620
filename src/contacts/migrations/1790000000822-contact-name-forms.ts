import type { MigrationInterface, QueryRunner } from 'typeorm';
import { foldWithout, REMOVED } from './1790000000820-contact-search-forms.js';

/**
 * `Müller, Jürgen` and `Jürgen Müller` have one key in imports; the index stays, and finds a name by the orders it may be stored in.
 * Zero-width spaces inside of words are removed for search. That reads all contacts once and writes the few that hold one.
 */
export class ContactNameForms1790000000822 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const definition of FUNCTIONS) await runner.query(`CREATE FUNCTION ${definition}`);
    await runner.query(
      `CREATE OR REPLACE FUNCTION ${foldWithout([...REMOVED, [ZERO_WIDTH_SPACE, ZERO_WIDTH_SPACE]])}`,
    );
    await runner.query(FOLD_AGAIN);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION ${foldWithout(REMOVED)}`);
    await runner.query(FOLD_AGAIN);
    await runner.query('DROP FUNCTION contacts.person_key(text), contacts.name_orders(text)');
  }
}

const ZERO_WIDTH_SPACE = 0x200b;

/** The generated columns change with it, so all indexes get entries of the new forms. */
const FOLD_AGAIN = `
  UPDATE contacts.contact SET name = name, email = email, additional_emails = additional_emails, company = company,
    department = department, job_title = job_title, tags = tags, external_id = external_id
  WHERE strpos(concat_ws(' ', name, email, contacts.joined(additional_emails), company, department, job_title,
    contacts.joined(tags), external_id), chr(${ZERO_WIDTH_SPACE})) > 0`;

/** What follows a comma and is no given name: suffixes, degrees, legal forms of companies; as `name_key` spells them. */
const SUFFIXES = [
  'jr|sr|junior|senior|ii|iii|iv|v|esq|ph ?d|m ?d|dr|prof|mba|cpa|m ?a|b ?a|m ?sc|b ?sc|dipl|ing|mag|rn|dds|j ?d|ll ?m|csc|drsc',
  'inc|incorporated|ltd|limited|llc|llp|lp|plc|co|corp|corporation|company|pty|pte|gmbh|mbh|ag|kg|kgaa|ohg|gbr|ug|e ?v|e ?k|se',
  's ?a|s ?a ?s|sarl|s ?r ?l|s ?l|s ?p ?a|s ?r ?o|a ?s|spol|z ?o ?o|sp|b ?v|n ?v|oy|oyj|ab|aps|kft|zrt|bt|nyrt|d ?o ?o|&|und|and',
].join('|');
/** Of longer names the order is not looked at: each word more is one more order to look for. */
const MAX_WORDS = 6;

/**
 * `person_key`: as `name_key`, with the family name last where a single comma stands behind it.
 * `name_orders`: what `name_key` may be of a name with this `person_key`.
 */
const FUNCTIONS = [
  `contacts.person_key(name text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   DECLARE
     key text := contacts.name_key(name);
     sides text[];
   BEGIN
     IF name IS NULL OR name !~ '[,，]' OR cardinality(string_to_array(key, ' ')) > ${MAX_WORDS} THEN RETURN key; END IF;
     sides := string_to_array(contacts.fold(name), ',');
     IF cardinality(sides) <> 2 THEN RETURN key; END IF;
     sides := ARRAY[contacts.name_key(sides[1]), contacts.name_key(sides[2])];
     IF '' = ANY(sides) OR sides[2] ~ '^((${SUFFIXES})( |$))+$' THEN RETURN key; END IF;
     RETURN sides[2] || ' ' || sides[1];
   END $$`,
  `contacts.name_orders(key text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   DECLARE words text[] := string_to_array(key, ' ');
   BEGIN
     IF cardinality(words) NOT BETWEEN 2 AND ${MAX_WORDS} THEN RETURN ARRAY[key]; END IF;
     RETURN ARRAY(
       SELECT array_to_string(words[n + 1:] || words[:n], ' ') FROM generate_series(0, cardinality(words) - 1) AS n);
   END $$`,
];
