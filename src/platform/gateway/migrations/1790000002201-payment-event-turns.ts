import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Waiting events of an application by organization, so that these take turns. */
export class PaymentEventTurns1790000002201 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX payment_event_turns ON gateway.payment_event (application, organization_id, due_at)
        WHERE state = 'waiting'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX gateway.payment_event_turns');
  }
}
