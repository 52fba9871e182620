import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What other features may read of contacts in their SQL. */
export class ContactSummary1790000000830 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE VIEW contacts.contact_summary AS
        SELECT id, organization_id, name, email, company, deleted_at FROM contacts.contact`);
    await runner.query(`
      COMMENT ON VIEW contacts.contact_summary IS 'Published: what a card shows of a contact; deleted ones too.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW contacts.contact_summary');
  }
}
