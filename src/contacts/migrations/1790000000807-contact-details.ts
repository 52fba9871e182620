import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Further addresses, postal addresses, birthday, department and websites of a contact; and what imports stage of them. */
export class ContactDetails1790000000807 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE contacts.contact
        ADD COLUMN additional_emails text[] NOT NULL DEFAULT '{}',
        ADD COLUMN additional_email_keys text[] NOT NULL DEFAULT '{}',
        ADD COLUMN addresses jsonb NOT NULL DEFAULT '[]',
        ADD COLUMN birthday text,
        ADD COLUMN department text,
        ADD COLUMN websites text[] NOT NULL DEFAULT '{}'`);
    await runner.query(`
      CREATE INDEX contact_with_details ON contacts.contact (organization_id, id) WHERE ${HAS_DETAILS}`);
    await runner.query(`
      CREATE INDEX contact_by_additional_email ON contacts.contact USING gin (additional_email_keys)
      WHERE additional_email_keys <> '{}'`);
    for (const [table, more] of Object.entries(STAGED))
      await runner.query(`ALTER TABLE contacts.${table} ${[...DETAILS, ...more].map(add).join(', ')}`);
    for (const [table, more] of Object.entries(STAGED))
      for (const column of [...DETAILS, ...more].map((one) => one.split(' ')[0] as string))
        await runner.query(`ALTER TABLE contacts.${table} ALTER COLUMN ${column} SET STATISTICS 0`);
    await runner.query(`CREATE FUNCTION ${FIRST_OF_EACH}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION contacts.first_of_each(text[], text[], text)');
    for (const [table, more] of Object.entries(STAGED))
      await runner.query(`ALTER TABLE contacts.${table} ${[...DETAILS, ...more].map(drop).join(', ')}`);
    await runner.query('DROP INDEX contacts.contact_by_additional_email');
    await runner.query('DROP INDEX contacts.contact_with_details');
    await runner.query(`ALTER TABLE contacts.contact ${DETAILS.map(drop).join(', ')}`);
  }
}

const DETAILS = [
  'additional_emails text[]',
  'additional_email_keys text[]',
  'addresses jsonb',
  'birthday text',
  'department text',
  'websites text[]',
];
const STAGED: Readonly<Record<string, readonly string[]>> = { import_row: ['note text'], import_contact: [] };

const add = (column: string) => `ADD COLUMN ${column}`;
const drop = (column: string) => `DROP COLUMN ${column.split(' ')[0] ?? ''}`;

/** Few contacts have any of these; the export and the import ask for those that do. */
const HAS_DETAILS = `additional_email_keys <> '{}' OR addresses <> '[]' OR birthday IS NOT NULL
  OR department IS NOT NULL OR websites <> '{}'`;

/** The values whose keys stand first, in their order, without those of one key. */
const FIRST_OF_EACH = `
  contacts.first_of_each(given text[], keys text[], without text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(array_agg(value ORDER BY number), '{}')
    FROM (
      SELECT DISTINCT ON (key) value, number FROM unnest(given, keys) WITH ORDINALITY AS one (value, key, number)
      WHERE key IS NOT NULL AND key IS DISTINCT FROM without ORDER BY key, number) AS firsts $$`;
