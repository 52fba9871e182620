import { Injectable } from '@nestjs/common';
import { Database, statement, type Transaction } from '#libs/database';
import { backoffMs, CLAIM_END } from '#libs/due-work';
import { pickedInTurn } from '../claims/claim-in-turn.js';

/** Bytes that this process brings to the object store, until its claim ends. */
export interface ClaimedBytes {
  readonly mediaId: string;
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Fencing token: an older one belongs to a lost claim. */
  readonly attempts: number;
}

export interface ClaimedInTurn extends ClaimedBytes {
  /** null: its brand is gone. */
  readonly organizationId: string | null;
}

const INSERT = statement(
  'insert_waiting_bytes',
  `INSERT INTO media.waiting_bytes (media_id, bytes, due_at) VALUES ($1, $2, ${CLAIM_END})`,
);

const CLAIM = statement(
  'claim_waiting_bytes',
  `WITH ${pickedInTurn({ table: 'media.waiting_bytes', id: 'media_id', dueAt: 'due_at', pending: 'true' })}
   UPDATE media.waiting_bytes AS waiting SET due_at = ${CLAIM_END}, attempts = waiting.attempts + 1
   FROM picked JOIN media.file ON file.id = picked.id
   WHERE waiting.media_id = picked.id
   RETURNING waiting.media_id AS "mediaId", waiting.bytes, file.content_type AS "contentType", file.sha256, waiting.attempts,
     picked.organization_id AS "organizationId"`,
);

const HELD = 'media_id = $1 AND attempts = $2';

const RENEW = statement(
  'renew_waiting_bytes',
  `UPDATE media.waiting_bytes SET due_at = ${CLAIM_END} WHERE ${HELD} RETURNING media_id`,
);

const RELEASE = statement(
  'release_waiting_bytes',
  `UPDATE media.waiting_bytes SET due_at = now() + $3::float8 * interval '1 millisecond' WHERE ${HELD}`,
);

/** The file has its object now, and is handed to inspection like an upload. */
const STORED = statement(
  'record_stored_bytes',
  `WITH waited AS (DELETE FROM media.waiting_bytes WHERE media_id = $1 RETURNING media_id)
   UPDATE media.file SET object_key = $2, etag = $3, inspect_due_at = now()
   FROM waited WHERE file.id = waited.media_id AND file.status = 'inspecting' RETURNING file.id`,
);

const COUNTS = statement(
  'count_waiting_bytes',
  `SELECT count(*)::int AS files, coalesce(sum(file.bytes), 0)::float8 AS bytes,
     coalesce(extract(epoch FROM now() - min(file.created_at)), 0)::float8 AS "oldestSeconds"
   FROM media.waiting_bytes AS waiting JOIN media.file ON file.id = waiting.media_id`,
);

export interface WaitingCounts {
  readonly files: number;
  readonly bytes: number;
  /** Since the oldest was stored in the database. */
  readonly oldestSeconds: number;
}

/** Bytes of files that the object store does not have yet, and the claims of the processes that bring them there. */
@Injectable()
export class WaitingBytes {
  constructor(private readonly database: Database) {}

  /** With the file, in its transaction. The claim is that of this process: `attempts` is 1. */
  async insert(transaction: Transaction, mediaId: string, bytes: Buffer): Promise<void> {
    await transaction.query(INSERT, [mediaId, bytes]);
  }

  /** Claims up to `limit` that are due, or whose process is gone. @param used organizations that used time, the one with the most at the end */
  take(limit: number, used: readonly string[] = []): Promise<ClaimedInTurn[]> {
    return this.database.query<ClaimedInTurn>(CLAIM, [limit, used]);
  }

  /** @returns false when another process has taken them over, or the file was deleted */
  async renew({ mediaId, attempts }: ClaimedBytes): Promise<boolean> {
    return (await this.database.query(RENEW, [mediaId, attempts])).length > 0;
  }

  /** Ends the claim without an outcome, for another attempt later. Does nothing when another process has taken them over. */
  async release({ mediaId, attempts }: ClaimedBytes): Promise<void> {
    await this.database.query(RELEASE, [mediaId, attempts, backoffMs(attempts)]);
  }

  async counts(): Promise<WaitingCounts> {
    const [counts] = await this.database.query<WaitingCounts>(COUNTS);
    return counts ?? { files: 0, bytes: 0, oldestSeconds: 0 };
  }

  /** Whoever stored them first. @returns false without any effect: another process did, or the file was deleted */
  async stored(transaction: Transaction, mediaId: string, key: string, etag: string): Promise<boolean> {
    return (await transaction.query(STORED, [mediaId, key, etag])).length > 0;
  }
}
