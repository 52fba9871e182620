import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Staging of imports: unlogged tables that all imports share, each row keyed by its organization and import. Unlike
 * temporary tables they need no session of their own, so they work behind a pooler in transaction mode. PostgreSQL empties
 * them after a crash; the merge counts the rows for that reason.
 */
export class ImportStaging1790000000806 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE contacts.import_lease (
        organization_id uuid PRIMARY KEY,
        import_id uuid NOT NULL,
        lease_until timestamptz NOT NULL
      )`);
    for (const [name, columns] of Object.entries(STAGED)) {
      await runner.query(`
        CREATE UNLOGGED TABLE contacts.${name} (
          organization_id uuid NOT NULL, import_id uuid NOT NULL, ${columns}
        ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
                autovacuum_vacuum_insert_threshold = -1)`);
      await runner.query(`CREATE INDEX ${name}_of_import ON contacts.${name} (organization_id, import_id)`);
      for (const column of PERSONAL.filter((one) => new RegExp(`\\b${one} `).test(columns)))
        await runner.query(`ALTER TABLE contacts.${name} ALTER COLUMN ${column} SET STATISTICS 0`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(STAGED)) await runner.query(`DROP TABLE contacts.${name}`);
    await runner.query('DROP TABLE contacts.import_lease');
  }
}

const STAGED = {
  import_row: `row int NOT NULL, id uuid, name text, email text, email_key text, company text, job_title text,
    phones text[], tags text[], custom_fields jsonb, external_id text, match_key text, new_id uuid, failed boolean,
    problems text, raw text, line int`,
  import_plan: 'row int NOT NULL, first_row int, n int, of int, target uuid, outcome text, code text',
  import_contact: `first_row int NOT NULL, target uuid, version int, was_deleted boolean, is_changed boolean,
    fault text, id uuid, name text, email text, email_key text, company text, job_title text, phones text[],
    tags text[], custom_fields jsonb, external_id text`,
};

/** Planner statistics are samples that stay after the rows are deleted, so none are taken of personal data. */
const PERSONAL = [
  'name',
  'email',
  'email_key',
  'company',
  'job_title',
  'phones',
  'tags',
  'custom_fields',
  'external_id',
  'match_key',
  'problems',
  'raw',
];
