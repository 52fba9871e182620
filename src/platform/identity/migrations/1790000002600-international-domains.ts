import type { MigrationInterface, QueryRunner } from 'typeorm';
import { emailKey } from '#libs/email-address';

/** Each table with the rows that may not have the same key. */
const TABLES = [
  ['identity.user_account', 'true'],
  ['identity.invitation', 'other.organization_id = this.organization_id'],
] as const;

/**
 * Keys of international domains get their Unicode spelling: both spellings are one address. Of two accounts with one address
 * the second keeps its key.
 */
export class InternationalDomains1790000002600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [table, isRival] of TABLES) {
      const sql = `SELECT id, email FROM ${table} WHERE email_key ~ '(xn--|[^ -~])'`;
      for (const { id, email } of (await runner.query(sql)) as Row[]) {
        await runner.query(
          `UPDATE ${table} this SET email_key = $2
           WHERE id = $1 AND NOT EXISTS (SELECT FROM ${table} other WHERE other.email_key = $2 AND ${isRival})`,
          [id, emailKey(email)],
        );
      }
    }
    await describeKey(runner, 'NFKC, lower case, the domain in Unicode');
  }

  async down(runner: QueryRunner): Promise<void> {
    await describeKey(runner, 'NFKC, lower case');
  }
}

interface Row {
  readonly id: string;
  readonly email: string;
}

const describeKey = (runner: QueryRunner, spelling: string): Promise<unknown> =>
  runner.query(
    `COMMENT ON COLUMN identity.user_account.email_key IS '${spelling}: what makes two addresses the same account'`,
  );
