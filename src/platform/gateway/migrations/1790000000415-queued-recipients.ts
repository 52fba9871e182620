import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Recipients that are queued, so that a sweep finds those whose message is not due. */
export class QueuedRecipients1790000000415 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX email_recipient_queued ON gateway.email_recipient (message_id) WHERE state = 'queued';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX gateway.email_recipient_queued;');
  }
}
