import { Injectable } from '@nestjs/common';
import type { AiMark, MediaKind, RenditionSpec } from '#libs/content';
import { Database, statement } from '#libs/database';
import { CLAIM_END } from '#libs/due-work';
import type { Release } from '../../claims/claim.js';
import { pickedInTurn } from '../../claims/claim-in-turn.js';
import type { InspectedFacts } from '../../inspection/domain/inspection.types.js';

/** A rendition that this worker makes, until its lease ends. */
export interface ClaimedRendition {
  readonly id: string;
  /** null: its brand is gone. */
  readonly organizationId: string | null;
  readonly mediaId: string;
  readonly spec: RenditionSpec;
  readonly focusX: number;
  readonly focusY: number;
  /** Fencing token: an older one belongs to a lost claim. */
  readonly attempts: number;
  /** How often a worker did not end what it had claimed. */
  readonly takeovers: number;
  /** How often it ended its child process. */
  readonly failures: number;
  /** Unexpected errors. */
  readonly errors: number;
  readonly kind: MediaKind;
  readonly aiMark: AiMark | null;
  readonly contentType: string;
  readonly facts: InspectedFacts;
  readonly objectKey: string;
  readonly etag: string;
  readonly bytes: number;
}

/** Videos and animations take minutes, and so may a picture that ended its process before: they delay no other picture. */
export const laneOf = ({ spec, failures }: Pick<ClaimedRendition, 'spec' | 'failures'>): 'fast' | 'slow' =>
  spec.kind === 'image' && failures === 0 ? 'fast' : 'slow';

const CLAIM = statement(
  'claim_renditions',
  `WITH ${pickedInTurn({ table: 'media.rendition', dueAt: 'due_at', pending: `t.status = 'pending' AND (t.spec->>'kind' <> 'image' OR t.failures > 0) = $3` })}
   UPDATE media.rendition AS rendition
   SET due_at = ${CLAIM_END}, attempts = rendition.attempts + 1, is_claimed = true,
       takeovers = rendition.takeovers + rendition.is_claimed::int
   FROM picked
   JOIN media.rendition AS claimed USING (id)
   JOIN media.file AS file ON file.id = claimed.media_id
   WHERE rendition.id = picked.id
   RETURNING rendition.id, rendition.media_id AS "mediaId", rendition.spec, rendition.focus_x AS "focusX",
     rendition.focus_y AS "focusY", rendition.attempts, rendition.takeovers, rendition.failures,
     rendition.errors, file.kind, file.ai_mark AS "aiMark", file.content_type AS "contentType", file.facts,
     file.object_key AS "objectKey", file.etag, file.bytes::float8 AS bytes, picked.organization_id AS "organizationId"`,
);

const HELD = `id = $1 AND attempts = $2 AND status = 'pending'`;

const RENEW = statement(
  'renew_rendition',
  `UPDATE media.rendition SET due_at = ${CLAIM_END} WHERE ${HELD} RETURNING id`,
);

const RELEASE = statement(
  'release_rendition',
  `UPDATE media.rendition SET due_at = now() + $3::float8 * interval '1 millisecond', is_claimed = false,
     failures = failures + $4, errors = errors + $5
   WHERE ${HELD} RETURNING id`,
);

const COUNTS = statement(
  'count_renditions',
  `SELECT count(*)::int AS pending,
     greatest(extract(epoch FROM now() - min(awaited_since)), 0)::float8 AS "oldestSeconds"
   FROM media.rendition WHERE status = 'pending'`,
);

/** Claims of renditions by workers. Any number of workers may run. */
@Injectable()
export class RenditionClaims {
  constructor(private readonly database: Database) {}

  /**
   * Claims up to `limit` renditions of a lane that are due, or whose worker is gone.
   * @param used organizations that used time, the one with the most at the end
   */
  take(limit: number, lane: 'fast' | 'slow', used: readonly string[] = []): Promise<ClaimedRendition[]> {
    return this.database.query<ClaimedRendition>(CLAIM, [limit, used, lane === 'slow']);
  }

  /** @returns false when another worker has taken it over, or when it was deleted */
  async renew({ id, attempts }: ClaimedRendition): Promise<boolean> {
    return (await this.database.query(RENEW, [id, attempts])).length > 0;
  }

  /** Ends the claim without a result. Does nothing when another worker has taken it over. */
  async release({ id, attempts }: ClaimedRendition, { dueInMs, failures, errors }: Release): Promise<void> {
    await this.database.query(RELEASE, [id, attempts, dueInMs, failures, errors]);
  }

  async counts(): Promise<{ pending: number; oldestSeconds: number }> {
    const [counts] = await this.database.query<{ pending: number; oldestSeconds: number }>(COUNTS);
    return counts ?? { pending: 0, oldestSeconds: 0 };
  }
}
