import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose account and key an operation used, so that it can go on with another key of the same account, and not of another one. */
export class PaymentAccounts1790000000394 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE gateway.payment_operation ADD COLUMN key_digest text, ADD COLUMN account text',
    );
    await runner.query(`COMMENT ON COLUMN gateway.payment_operation.key_digest IS
      'of the key of the last call; null: no call yet, or by a replica of the former release'`);
    await runner.query(`COMMENT ON COLUMN gateway.payment_operation.account IS
      'account and mode of that key; null: the key may not read its account'`);
    await runner.query(
      `CREATE INDEX payment_operation_unresolved ON gateway.payment_operation (id) WHERE state = 'unresolved'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX gateway.payment_operation_unresolved');
    await runner.query('ALTER TABLE gateway.payment_operation DROP COLUMN key_digest, DROP COLUMN account');
  }
}
