import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who changed what in the gateway. The database refuses to change or remove rows. */
export class Audit1790000000352 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE gateway.audit (
        id uuid PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        action text NOT NULL,
        organization_id uuid,
        actor_type text NOT NULL,
        actor_id uuid,
        target_type text NOT NULL,
        target_id text NOT NULL,
        request_id text,
        details jsonb NOT NULL DEFAULT '{}'
      );
      CREATE INDEX audit_of_organization ON gateway.audit (organization_id, id DESC);
      COMMENT ON COLUMN gateway.audit.organization_id IS 'null: a change of the platform';

      CREATE FUNCTION gateway.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'Audit rows are append-only.' USING ERRCODE = 'insufficient_privilege';
      END $$;
      CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON gateway.audit
        FOR EACH ROW EXECUTE FUNCTION gateway.refuse_change();
      CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON gateway.audit
        FOR EACH STATEMENT EXECUTE FUNCTION gateway.refuse_change();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE gateway.audit; DROP FUNCTION gateway.refuse_change');
  }
}
