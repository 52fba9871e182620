import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Entries of one kind and of one actor, in their order. */
export class AuditByFilter1790000001901 implements MigrationInterface {
  name = 'AuditByFilter1790000001901';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX audit_event_by_kind ON content_ops.audit_event (chain, kind, entry);
      CREATE INDEX audit_event_by_actor ON content_ops.audit_event (chain, actor_id, entry)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX content_ops.audit_event_by_actor, content_ops.audit_event_by_kind');
  }
}
