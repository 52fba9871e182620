import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replicas of the former release write the former table only; the trigger copies their rows. */
const TABLE = `
CREATE TABLE gateway.payment_account_object (
  credential_id uuid NOT NULL,
  id text NOT NULL,
  application_id uuid NOT NULL,
  application text NOT NULL,
  organization_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (credential_id, id)
);
CREATE INDEX payment_account_object_owner
  ON gateway.payment_account_object (id, application_id, organization_id);
COMMENT ON TABLE gateway.payment_account_object IS
  'to which organization and application an object of an account of the payment provider belongs; others get 404';
COMMENT ON TABLE gateway.payment_object IS
  'former table of owners, without the account in its key; written for replicas of the former release';
CREATE FUNCTION gateway.copy_payment_object() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO gateway.payment_account_object (credential_id, id, application_id, application, organization_id, created_at)
  VALUES (NEW.credential_id, NEW.id, NEW.application_id, NEW.application, NEW.organization_id, NEW.created_at)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER copy_payment_object AFTER INSERT ON gateway.payment_object
  FOR EACH ROW EXECUTE FUNCTION gateway.copy_payment_object();
INSERT INTO gateway.payment_account_object (credential_id, id, application_id, application, organization_id, created_at)
SELECT credential_id, id, application_id, application, organization_id, created_at FROM gateway.payment_object
ON CONFLICT DO NOTHING;
`;

/**
 * Owners of objects by account. An id alone is not enough: an organization signs the events of its own account, and could name an
 * object of another account in one before its owner does.
 */
export class ObjectsByAccount1790000000368 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER copy_payment_object ON gateway.payment_object');
    await runner.query('DROP FUNCTION gateway.copy_payment_object()');
    await runner.query('DROP TABLE gateway.payment_account_object');
  }
}
