import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
CREATE SCHEMA IF NOT EXISTS gateway;
CREATE TABLE gateway.video_quota (
  project text NOT NULL,
  day date NOT NULL,
  bucket text NOT NULL,
  used bigint NOT NULL CHECK (used >= 0),
  exhausted boolean NOT NULL DEFAULT false,
  PRIMARY KEY (project, day, bucket)
);
CREATE TABLE gateway.video_quota_entry (
  id uuid PRIMARY KEY,
  project text NOT NULL,
  day date NOT NULL,
  bucket text NOT NULL,
  units bigint NOT NULL CHECK (units > 0),
  call text NOT NULL,
  application_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  state text NOT NULL DEFAULT 'reserved'
    CHECK (state IN ('reserved', 'done', 'refused', 'unknown', 'released')),
  created_at timestamptz NOT NULL DEFAULT now(),
  settled_at timestamptz,
  CHECK ((state = 'reserved') = (settled_at IS NULL))
);
CREATE INDEX video_quota_entry_usage
  ON gateway.video_quota_entry (project, day, application_id, organization_id);
CREATE INDEX video_quota_entry_reserved ON gateway.video_quota_entry (created_at) WHERE state = 'reserved';
CREATE TABLE gateway.video_upload (
  id uuid PRIMARY KEY,
  application_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  bytes bigint NOT NULL CHECK (bytes > 0),
  session text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX video_upload_created ON gateway.video_upload (created_at);
COMMENT ON COLUMN gateway.video_upload.session IS
  'Address of the upload session, encrypted and bound to the row. It is a credential.';
`;

/** Quota of the video provider, and its upload sessions. */
export class Video1790000000350 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE gateway.video_upload, gateway.video_quota_entry, gateway.video_quota;
      DROP SCHEMA gateway;
    `);
  }
}
