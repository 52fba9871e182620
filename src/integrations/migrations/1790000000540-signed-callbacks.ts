import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Accepted deauthorize and data-deletion callbacks of networks. `digest` is of the signature, so that a repeated request is recognised
 * without storing whom it names.
 */
export class SignedCallbacks1790000000540 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE integrations.signed_callback (
        kind text NOT NULL CHECK (kind IN ('deauthorize', 'data-deletion')),
        platform text NOT NULL,
        digest bytea NOT NULL,
        code text UNIQUE,
        connections int NOT NULL,
        received_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (kind, platform, digest),
        CHECK ((kind = 'data-deletion') = (code IS NOT NULL))
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE integrations.signed_callback');
  }
}
