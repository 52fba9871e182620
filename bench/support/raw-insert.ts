import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { Database } from '#libs/database';
import type { EventMetadata } from '#libs/event-store';

/** About 300 bytes of data and 250 of metadata, as a post has them. */
export const DATA = {
  postId: '019a0000-0000-7000-8000-000000000001',
  brandId: '019a0000-0000-7000-8000-000000000002',
  platform: 'x',
  text: 'An honest sentence about what the house has been building all summer, long enough to be a post.',
  scheduledAt: '2026-12-24T18:00:00.000Z',
  by: { type: 'user', id: '019a0000-0000-7000-8000-000000000003' },
};
export const METADATA: EventMetadata = {
  organizationId: '019a0000-0000-7000-8000-000000000004',
  brandId: '019a0000-0000-7000-8000-000000000002',
  actor: { type: 'user', id: '019a0000-0000-7000-8000-000000000003' },
  channel: 'bearer',
  requestId: '019a0000-0000-7000-8000-000000000005',
  correlationId: '019a0000-0000-7000-8000-000000000006',
  causationId: null,
};

const RAW_INSERT = {
  name: 'bench_raw_insert',
  text: `INSERT INTO bench_raw.event
      (transaction_id, stream, version, at, id, schema_version, stream_type, type, data, metadata)
    VALUES (pg_current_xact_id(), $1, $2, clock_timestamp(), $3, 1, 'bench', $4, $5, $6)`,
};

/** A table with the columns and indexes of the log. */
export async function makeRawTable(database: Database): Promise<void> {
  await database.query('CREATE SCHEMA bench_raw');
  await database.query('CREATE TABLE bench_raw.event (LIKE events.event INCLUDING ALL)');
}

/** The limit of everything that stores one event: a plain INSERT, committed by itself. */
export async function insertRaw(client: Pool | PoolClient): Promise<void> {
  const [data, metadata] = [JSON.stringify(DATA), JSON.stringify(METADATA)];
  const values = [randomUUID(), 1, randomUUID(), 'PostScheduled', data, metadata];
  await client.query({ ...RAW_INSERT, values });
}
