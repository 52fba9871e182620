import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { CLAIM_END } from '#libs/due-work';
import type { Release } from '../claims/claim.js';
import { pickedInTurn } from '../claims/claim-in-turn.js';

/** A file that this worker inspects, until its lease ends. */
export interface ClaimedInspection {
  readonly id: string;
  /** null: its brand is gone. */
  readonly organizationId: string | null;
  readonly objectKey: string;
  readonly etag: string;
  /** As the uploader declared it. */
  readonly contentType: string;
  readonly bytes: number;
  /** The video that the picture represents. */
  readonly posterOf: string | null;
  /** Fencing token: an older one belongs to a lost claim. */
  readonly attempts: number;
  /** How often a worker did not end the inspection that it had claimed. */
  readonly takeovers: number;
  /** How often the file ended its child process. */
  readonly failures: number;
  /** How often the inspection failed for an unexpected reason. */
  readonly errors: number;
}

/** What needs more memory or time than most delays only its like. */
export const laneOf = ({ failures }: Pick<ClaimedInspection, 'failures'>): 'fast' | 'slow' =>
  failures > 0 ? 'slow' : 'fast';

const CLAIM = statement(
  'claim_inspections',
  `WITH ${pickedInTurn({ table: 'media.file', dueAt: 'inspect_due_at', pending: `t.status = 'inspecting' AND (t.inspect_failures > 0) = $3` })}
   UPDATE media.file AS file
   SET inspect_due_at = ${CLAIM_END}, inspect_attempts = inspect_attempts + 1, inspect_is_claimed = true,
     inspect_takeovers = inspect_takeovers + inspect_is_claimed::int
   FROM picked WHERE file.id = picked.id
   RETURNING file.id, object_key AS "objectKey", etag, content_type AS "contentType", bytes::float8 AS bytes,
     poster_of AS "posterOf", inspect_attempts AS attempts, inspect_takeovers AS takeovers, inspect_failures AS failures,
     inspect_errors AS errors, picked.organization_id AS "organizationId"`,
);

const HELD = `id = $1 AND inspect_attempts = $2 AND status = 'inspecting'`;

const RENEW = statement(
  'renew_inspection',
  `UPDATE media.file SET inspect_due_at = ${CLAIM_END} WHERE ${HELD} RETURNING id`,
);

const RELEASE = statement(
  'release_inspection',
  `UPDATE media.file SET inspect_due_at = now() + $3::float8 * interval '1 millisecond', inspect_is_claimed = false,
     inspect_failures = inspect_failures + $4, inspect_errors = inspect_errors + $5
   WHERE ${HELD} RETURNING id`,
);

/** Claims of inspections by workers. Any number of workers may run. */
@Injectable()
export class InspectionClaims {
  constructor(private readonly database: Database) {}

  /**
   * Claims up to `limit` files that are due, or whose worker is gone. `slow`: that ended a process before.
   * @param used organizations that used time, the one with the most at the end
   */
  take(
    limit: number,
    lane: 'fast' | 'slow' = 'fast',
    used: readonly string[] = [],
  ): Promise<ClaimedInspection[]> {
    return this.database.query<ClaimedInspection>(CLAIM, [limit, used, lane === 'slow']);
  }

  /** @returns false when another worker has taken it over, or the file was deleted */
  async renew({ id, attempts }: ClaimedInspection): Promise<boolean> {
    return (await this.database.query(RENEW, [id, attempts])).length > 0;
  }

  /** Ends the claim without an outcome. Does nothing when another worker has taken it over. */
  async release({ id, attempts }: ClaimedInspection, { dueInMs, failures, errors }: Release): Promise<void> {
    await this.database.query(RELEASE, [id, attempts, dueInMs, failures, errors]);
  }
}
