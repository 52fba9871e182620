import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An import decides its organization. Without these statistics the planner multiplies the selectivity of both, expects few
 * rows of an import that runs beside others, and compares each row with each other one.
 */
export class ImportStatistics1790000001100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of STAGED)
      await runner.query(`
        CREATE STATISTICS contacts.${table}_of_organization (dependencies)
        ON organization_id, import_id FROM contacts.${table}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of STAGED) await runner.query(`DROP STATISTICS contacts.${table}_of_organization`);
  }
}

const STAGED = ['import_row', 'import_plan', 'import_contact'];
