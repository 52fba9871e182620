import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A membership that was offered and counts for nothing until the invited person accepts it. */
export class Invitations1790000000308 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE identity.invitation (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL REFERENCES identity.organization (id) ON DELETE CASCADE,
        user_id uuid REFERENCES identity.user_account (id) ON DELETE CASCADE,
        email text,
        email_key text,
        role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
        status text NOT NULL DEFAULT 'pending'
          CHECK (status IN ('pending', 'accepted', 'declined', 'withdrawn', 'expired')),
        invited_by uuid REFERENCES identity.user_account (id) ON DELETE SET NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        closed_at timestamptz,
        CHECK (user_id IS NOT NULL OR email_key IS NOT NULL),
        CHECK ((email IS NULL) = (email_key IS NULL)),
        CHECK ((status = 'pending') = (closed_at IS NULL))
      );
      COMMENT ON COLUMN identity.invitation.user_id IS 'null: for the account that verifies the email address';
      CREATE UNIQUE INDEX invitation_pending_user ON identity.invitation (organization_id, user_id)
        WHERE status = 'pending' AND user_id IS NOT NULL;
      CREATE UNIQUE INDEX invitation_pending_email ON identity.invitation (organization_id, email_key)
        WHERE status = 'pending' AND user_id IS NULL;
      CREATE INDEX invitation_organization ON identity.invitation (organization_id, id);
      CREATE INDEX invitation_user ON identity.invitation (user_id, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE identity.invitation');
  }
}
