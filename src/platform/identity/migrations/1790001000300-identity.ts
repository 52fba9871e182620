import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ACCOUNTS, AUDIT, INVITATIONS } from './initial-accounts.js';
import { AUTOMATIONS, CATALOGS } from './initial-permissions.js';
import { seedServices } from './initial-services.js';

/** Accounts, organizations, what their members may do, automations, and the audit. */
export class Identity1790001000300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA identity');
    for (const sql of [ACCOUNTS, CATALOGS, AUTOMATIONS, INVITATIONS, AUDIT]) await runner.query(sql);
    await seedServices(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA identity CASCADE');
  }
}
