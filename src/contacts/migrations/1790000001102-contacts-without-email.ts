import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SPELLED } from './1790000000820-contact-search-forms.js';
import { markedWords, replaceSearch } from './1790000001101-search-per-organization.js';

/**
 * A contact needs a name, an address, a company or a phone number. Imports find contacts without an address by company and
 * name, and add the values of lists. Addresses are searched in the form in which they are compared.
 */
export class ContactsWithoutEmail1790000001102 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contacts.contact DROP CONSTRAINT contact_has_a_name_or_an_email');
    await runner.query(`
      ALTER TABLE contacts.contact ADD CONSTRAINT contact_is_known_by_something CHECK (
        name IS NOT NULL OR email IS NOT NULL OR company IS NOT NULL OR phones <> '{}')`);
    await runner.query(`
      CREATE INDEX contact_without_email_by_company ON contacts.contact (organization_id, contacts.name_key(company))
      WHERE email_key IS NULL AND company IS NOT NULL`);
    for (const definition of FUNCTIONS) await runner.query(`CREATE FUNCTION ${definition}`);
    await replaceSearch(runner, markedWords(COMPARED));
  }

  /** Rows with neither a name nor an address stay: the constraint is not validated. */
  async down(runner: QueryRunner): Promise<void> {
    await replaceSearch(runner, markedWords(SPELLED));
    await runner.query(`
      DROP FUNCTION contacts.gathered_addresses(jsonb[]), contacts.gathered_values(text[], text),
        contacts.with_addresses(jsonb, jsonb), contacts.with_values(text[], text[], text), contacts.value_key(text, text)`);
    await runner.query('DROP INDEX contacts.contact_without_email_by_company');
    await runner.query('ALTER TABLE contacts.contact DROP CONSTRAINT contact_is_known_by_something');
    await runner.query(`
      ALTER TABLE contacts.contact ADD CONSTRAINT contact_has_a_name_or_an_email
      CHECK (name IS NOT NULL OR email IS NOT NULL) NOT VALID`);
  }
}

/** Addresses in the form in which they are compared: a domain in Unicode, also of an address that has it in Punycode. */
const COMPARED = `coalesce(email_key, email, '') || ' ' || contacts.joined(
  CASE WHEN additional_email_keys = '{}' THEN additional_emails ELSE additional_email_keys END)`;

const FUNCTIONS = [
  // Two spellings of one phone number, tag or website have one key.
  `contacts.value_key(value text, list text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT CASE list WHEN 'phones' THEN coalesce(nullif(contacts.phone_key(value), ''), value) ELSE lower(value) END $$`,
  `contacts.with_values(stored text[], given text[], list text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   BEGIN
     RETURN stored || ARRAY(
       SELECT value FROM unnest(given) WITH ORDINALITY AS each (value, number)
       WHERE contacts.value_key(value, list) NOT IN (
         SELECT contacts.value_key(former, list) FROM unnest(stored) AS former)
       ORDER BY number);
   END $$`,
  // An address of which each part is in a former one adds nothing.
  `contacts.with_addresses(stored jsonb, given jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   BEGIN
     RETURN stored || coalesce((
       SELECT jsonb_agg(address ORDER BY number) FROM jsonb_array_elements(given) WITH ORDINALITY AS each (address, number)
       WHERE NOT EXISTS (
         SELECT FROM jsonb_array_elements(stored) AS former WHERE former @> (jsonb_strip_nulls(address)))), '[]');
   END $$`,
  `contacts.gathered_values(lists text[], list text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   DECLARE
     gathered text[];
     one text;
   BEGIN
     FOREACH one IN ARRAY coalesce(lists, '{}') LOOP
       gathered := CASE WHEN gathered IS NULL THEN one::text[] ELSE contacts.with_values(gathered, one::text[], list) END;
     END LOOP;
     RETURN gathered;
   END $$`,
  `contacts.gathered_addresses(lists jsonb[]) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   DECLARE
     gathered jsonb;
     one jsonb;
   BEGIN
     FOREACH one IN ARRAY coalesce(lists, '{}') LOOP
       gathered := CASE WHEN gathered IS NULL THEN one ELSE contacts.with_addresses(gathered, one) END;
     END LOOP;
     RETURN gathered;
   END $$`,
];
