import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds events of the last days by an object whose owner became known now. */
export class PaymentOwners1790000000395 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX payment_event_unknown_refs ON gateway.payment_event USING gin (refs) WHERE state = 'unknown'`,
    );
    await runner.query(
      'CREATE INDEX payment_account_object_created ON gateway.payment_account_object (created_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX gateway.payment_account_object_created');
    await runner.query('DROP INDEX gateway.payment_event_unknown_refs');
  }
}
