import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Leases: key, owner and expiry. Fences come from one sequence, so that the row of a released lease can be deleted. */
export class Leases1790001000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SCHEMA due_work;
      CREATE SEQUENCE due_work.fence;
      CREATE TABLE due_work.lease (
        key text PRIMARY KEY,
        owner uuid NOT NULL,
        until timestamptz NOT NULL,
        fence bigint NOT NULL
      ) WITH (fillfactor = 50)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA due_work CASCADE');
  }
}
