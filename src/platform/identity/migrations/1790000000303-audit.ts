import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who changed what here. Rows are only ever added; the database itself refuses anything else. */
export class Audit1790000000303 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE identity.audit_event (
        id uuid PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        action text NOT NULL,
        result text NOT NULL CHECK (result IN ('success', 'failure')),
        organization_id uuid,
        actor_type text NOT NULL,
        actor_id uuid,
        target_type text,
        target_id uuid,
        request_id text,
        address text,
        details jsonb NOT NULL DEFAULT '{}'
      );
      CREATE INDEX audit_event_organization ON identity.audit_event (organization_id, id DESC);

      CREATE FUNCTION identity.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'Audit events are append-only.' USING ERRCODE = 'insufficient_privilege';
      END $$;

      CREATE TRIGGER audit_event_append_only
        BEFORE UPDATE OR DELETE ON identity.audit_event
        FOR EACH ROW EXECUTE FUNCTION identity.refuse_change();
      CREATE TRIGGER audit_event_no_truncate
        BEFORE TRUNCATE ON identity.audit_event
        FOR EACH STATEMENT EXECUTE FUNCTION identity.refuse_change();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE identity.audit_event; DROP FUNCTION identity.refuse_change');
  }
}
