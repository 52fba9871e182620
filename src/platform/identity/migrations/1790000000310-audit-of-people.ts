import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whose sign-ins, passwords and tokens an event is about, so that the person and the administrators of their organizations
 * find it. Rows with addresses may be removed, by age alone and in a transaction that says so.
 */
export class AuditOfPeople1790000000310 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE identity.audit_event ADD COLUMN subject_id uuid;
      COMMENT ON COLUMN identity.audit_event.subject_id IS 'the account whose sign-in, password or token it is about';
      CREATE INDEX audit_event_subject ON identity.audit_event (subject_id, id DESC) WHERE subject_id IS NOT NULL;
      CREATE INDEX audit_event_address ON identity.audit_event (at) WHERE address IS NOT NULL;

      CREATE OR REPLACE FUNCTION identity.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' AND current_setting('identity.audit_retention', true) = 'on' THEN
          RETURN OLD;
        END IF;
        RAISE EXCEPTION 'Audit events are append-only.' USING ERRCODE = 'insufficient_privilege';
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION identity.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'Audit events are append-only.' USING ERRCODE = 'insufficient_privilege';
      END $$;
      DROP INDEX identity.audit_event_address;
      ALTER TABLE identity.audit_event DROP COLUMN subject_id;
    `);
  }
}
