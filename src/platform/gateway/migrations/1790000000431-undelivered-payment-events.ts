import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists events of unknown owners, and finds undelivered ones that are deleted because of their age. */
export class UndeliveredPaymentEvents1790000000431 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX payment_event_ownerless ON gateway.payment_event (id) WHERE state = 'unknown'`,
    );
    await runner.query(
      `CREATE INDEX payment_event_dead_old ON gateway.payment_event (received_at) WHERE state = 'dead'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX gateway.payment_event_dead_old, gateway.payment_event_ownerless');
  }
}
