import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the position of a time in a chain. */
export class AuditByTime1790000000702 implements MigrationInterface {
  name = 'AuditByTime1790000000702';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX audit_event_by_time ON content_ops.audit_event (chain, at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX content_ops.audit_event_by_time');
  }
}
