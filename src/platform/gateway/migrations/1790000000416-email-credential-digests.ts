import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which key a call of a mail provider used: another account does not know its idempotency key, and would send again. */
export class EmailCredentialDigests1790000000416 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE gateway.email_message ADD COLUMN credential_digest text;');
    await runner.query(`COMMENT ON COLUMN gateway.email_message.credential_digest IS
      'of the key with which call_key was sent; null: no call, or by a replica of the former release'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE gateway.email_message DROP COLUMN credential_digest;');
  }
}
