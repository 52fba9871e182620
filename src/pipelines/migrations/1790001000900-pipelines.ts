import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Views have no foreign keys between them, because each is rebuilt separately. Rows of a contact are deleted with it. */
export class Pipelines1790001000900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA pipelines');
    for (const table of TABLES) await runner.query(`CREATE TABLE pipelines.${table}`);
    for (const index of INDEXES) await runner.query(`CREATE INDEX ${index}`);
    await runner.query(
      `COMMENT ON COLUMN pipelines.stage_view.position IS 'From 0, in the order of the board; null for archived stages.'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA pipelines CASCADE');
  }
}

const TABLES = [
  `pipeline_view (
     id uuid PRIMARY KEY,
     organization_id uuid NOT NULL,
     name text NOT NULL,
     is_default boolean NOT NULL,
     archived boolean NOT NULL,
     version int NOT NULL,
     created_at timestamptz NOT NULL,
     updated_at timestamptz NOT NULL
   )`,
  `stage_view (
     id uuid PRIMARY KEY,
     pipeline_id uuid NOT NULL,
     name text NOT NULL,
     position int
   )`,
  `card_view (
     id uuid PRIMARY KEY,
     pipeline_id uuid NOT NULL,
     contact_id uuid NOT NULL REFERENCES contacts.contact ON DELETE CASCADE,
     stage_id uuid NOT NULL,
     position double precision NOT NULL,
     entered_at timestamptz NOT NULL,
     version int NOT NULL,
     CONSTRAINT one_card_in_a_pipeline UNIQUE (contact_id, pipeline_id)
   )`,
  `movement_note (
     id uuid PRIMARY KEY,
     contact_id uuid NOT NULL REFERENCES contacts.contact ON DELETE CASCADE,
     text text NOT NULL
   )`,
];

const INDEXES = [
  'pipeline_of_organization ON pipelines.pipeline_view (organization_id, created_at, id) WHERE NOT archived',
  'stage_of_pipeline ON pipelines.stage_view (pipeline_id, position)',
  'card_on_board ON pipelines.card_view (stage_id, position, entered_at, id) INCLUDE (contact_id)',
  'movement_note_of_contact ON pipelines.movement_note (contact_id)',
];
