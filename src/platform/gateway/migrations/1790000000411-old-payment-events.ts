import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the events that are deleted because of their age. */
export class OldPaymentEvents1790000000411 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX payment_event_old ON gateway.payment_event (received_at) WHERE state IN ('delivered', 'unknown')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX gateway.payment_event_old');
  }
}
