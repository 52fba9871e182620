import type { MigrationInterface, QueryRunner } from 'typeorm';

const OPEN = `target IS NOT NULL AND object_id IS NULL AND state IN ('running', 'unknown')`;
const BY_TARGET = '(target, application_id, organization_id)';
const BY_CREDENTIAL = '(credential_id, target, application_id, organization_id)';

const UP = `
LOCK TABLE gateway.payment_operation IN ACCESS EXCLUSIVE MODE;
UPDATE gateway.payment_operation AS newer SET is_exclusive = false
 WHERE is_exclusive AND ${OPEN} AND EXISTS (
   SELECT FROM gateway.payment_operation AS older
    WHERE older.target = newer.target AND older.application_id = newer.application_id
      AND older.organization_id = newer.organization_id AND older.id < newer.id
      AND older.is_exclusive AND older.object_id IS NULL AND older.state IN ('running', 'unknown'));
DROP INDEX gateway.payment_operation_exclusive, gateway.payment_operation_open_target;
CREATE UNIQUE INDEX payment_operation_exclusive ON gateway.payment_operation ${BY_TARGET} WHERE is_exclusive AND ${OPEN};
CREATE INDEX payment_operation_open_target ON gateway.payment_operation ${BY_TARGET} WHERE ${OPEN};
`;

const DOWN = `
DROP INDEX gateway.payment_operation_exclusive, gateway.payment_operation_open_target;
CREATE UNIQUE INDEX payment_operation_exclusive ON gateway.payment_operation ${BY_CREDENTIAL} WHERE is_exclusive AND ${OPEN};
CREATE INDEX payment_operation_open_target ON gateway.payment_operation ${BY_CREDENTIAL} WHERE ${OPEN};
`;

/**
 * One open operation for each object that is changed, whichever credential it uses: an account can have several. A replica of the
 * former release, which looks for those of its credential, is refused by the index. It must not commit a second operation between the
 * update and the new index, therefore the lock.
 */
export class ExclusivePaymentTargets1790000000430 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
