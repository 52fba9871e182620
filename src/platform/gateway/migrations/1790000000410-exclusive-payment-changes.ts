import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One open operation for each object that is changed. Rows of a replica of the former release are not exclusive: it can have begun
 * several for one object, and does not know how to be refused.
 */
export class ExclusivePaymentChanges1790000000410 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE gateway.payment_operation ADD COLUMN is_exclusive boolean NOT NULL DEFAULT false',
    );
    await runner.query(`COMMENT ON COLUMN gateway.payment_operation.is_exclusive IS
      'no other operation on its target begins while its effect is possible and not seen'`);
    await runner.query(`COMMENT ON COLUMN gateway.payment_operation.request IS
      'parameters for the provider, needed to repeat the call with the same key; removed when the operation ends; null while it is open: nothing was sent'`);
    const columns = '(credential_id, target, application_id, organization_id)';
    const open = `target IS NOT NULL AND object_id IS NULL AND state IN ('running', 'unknown')`;
    await runner.query(
      `CREATE UNIQUE INDEX payment_operation_exclusive ON gateway.payment_operation ${columns} WHERE is_exclusive AND ${open}`,
    );
    await runner.query(
      `CREATE INDEX payment_operation_open_target ON gateway.payment_operation ${columns} WHERE ${open}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP INDEX gateway.payment_operation_open_target, gateway.payment_operation_exclusive',
    );
    await runner.query('ALTER TABLE gateway.payment_operation DROP COLUMN is_exclusive');
  }
}
