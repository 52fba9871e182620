import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an import compares names and phone numbers by, and the index that finds contacts by name and phone. Both functions are in
 * the index or in keys of one statement only: a migration that changes them, or `contacts.fold`, rebuilds the index.
 */
export class ContactMatchKeys1790000000821 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const definition of FUNCTIONS) await runner.query(`CREATE FUNCTION ${definition}`);
    await runner.query(`
      CREATE INDEX contact_with_phone_by_name ON contacts.contact (organization_id, contacts.name_key(name))
      WHERE phones <> '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX contacts.contact_with_phone_by_name');
    await runner.query('DROP FUNCTION contacts.name_key(text), contacts.phone_key(text)');
  }
}

/**
 * `name_key`: the same for two spellings of one full name, which differ in case, accents, spaces, full stops or commas; '' of no
 * name. The order of words counts: Martin Pavel and Pavel Martin are two people.
 * `phone_key`: the last nine digits, which are the same with a country code, with 0 in its place, and without.
 */
const FUNCTIONS = [
  `contacts.name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT btrim(regexp_replace(contacts.fold(name), '[[:space:].,]+', ' ', 'g')) $$`,
  `contacts.phone_key(phone text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT right(regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g'), 9) $$`,
];
