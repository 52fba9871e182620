import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Executor, statement } from '#libs/database';
import { backoffMs, CLAIM_END, CLAIM_LEASE_MS, whileRenewed } from '#libs/due-work';
import type { GeneratedImage, ImageOrder } from './drawing/draw-image.js';

/** A request that this process works on, until its claim ends. */
export interface ClaimedImage {
  readonly key: string;
  readonly order: ImageOrder;
  /** Fencing token: an older one belongs to a lost claim. */
  readonly attempts: number;
}

/** One that no process works on. */
export interface DueImage {
  readonly key: string;
  readonly organizationId: string;
}

export interface UnfinishedImages {
  readonly count: number;
  /** Of the oldest, in seconds; 0 without any. */
  readonly age: number;
}

export interface KnownImage {
  /** false: the key was used for another picture. */
  readonly isSame: boolean;
  /** null: not stored yet; it may be paid for. */
  readonly result: GeneratedImage | null;
}

/** The gateway and the stored responses of this service know a key for so long. */
const KNOWN = `created_at > now() - interval '24 hours'`;
/** The gateway still knows the key when the call arrives there. */
const REPEATABLE = `created_at > now() - interval '23 hours'`;

const FIND = statement(
  'find_keyed_image',
  `SELECT fingerprint = $2 AS "isSame", result FROM ai.keyed_image WHERE key = $1 AND ${KNOWN}`,
);

const BEGIN = statement(
  'begin_keyed_image',
  `INSERT INTO ai.keyed_image AS known (key, fingerprint, image_order, due_at) VALUES ($1, $2, $3, ${CLAIM_END})
   ON CONFLICT (key) DO UPDATE SET fingerprint = excluded.fingerprint, image_order = excluded.image_order,
     due_at = excluded.due_at, created_at = now(), result = NULL, attempts = known.attempts + 1
   WHERE NOT (known.${KNOWN})
   RETURNING known.key, known.image_order AS "order", known.attempts`,
);

const claim = (name: string, which: string) =>
  statement(
    name,
    `UPDATE ai.keyed_image SET due_at = ${CLAIM_END}, attempts = attempts + 1 WHERE ${which}
     RETURNING key, image_order AS "order", attempts`,
  );

const RESUME = claim('resume_keyed_image', `key = $1 AND result IS NULL AND ${KNOWN}`);

const IS_DUE = `due_at <= now() AND ${REPEATABLE}`;

/**
 * The organizations in turn: one that has no place does not hide the others. First of those that used no time, or the least.
 * $2 organizations that used time, the one with the most at the end.
 */
const DUE = statement(
  'list_due_keyed_images',
  `SELECT key, "organizationId" FROM (
     SELECT key, due_at, image_order->>'organizationId' AS "organizationId",
            row_number() OVER (PARTITION BY image_order->>'organizationId' ORDER BY due_at) AS turn
       FROM ai.keyed_image WHERE ${IS_DUE}) AS due
   ORDER BY turn, coalesce(array_position($2::text[], "organizationId"), 0), due_at LIMIT $1`,
);

const TAKE_DUE = claim('take_due_keyed_image_by_key', `key = $1 AND ${IS_DUE}`);

const UNFINISHED = statement(
  'count_unfinished_keyed_images',
  `SELECT count(*)::int AS count, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age
     FROM ai.keyed_image WHERE due_at IS NOT NULL`,
);

const RENEW_WITHIN_MS = CLAIM_LEASE_MS / 4;
const HELD = 'key = $1 AND attempts = $2 AND result IS NULL';

const RENEW = statement(
  'renew_keyed_image',
  `UPDATE ai.keyed_image SET due_at = ${CLAIM_END} WHERE ${HELD} RETURNING key`,
);

const RELEASE = statement(
  'release_keyed_image',
  `UPDATE ai.keyed_image SET due_at = now() + $3::float8 * interval '1 millisecond' WHERE ${HELD}`,
);

const REMOVE = statement('remove_keyed_image', `DELETE FROM ai.keyed_image WHERE ${HELD}`);

const STORED = statement(
  'record_keyed_image',
  `UPDATE ai.keyed_image SET result = $3, image_order = NULL, due_at = NULL WHERE ${HELD} RETURNING key`,
);

const PURGE = statement(
  'purge_keyed_images',
  `DELETE FROM ai.keyed_image WHERE key IN (
     SELECT key FROM ai.keyed_image WHERE NOT ${KNOWN} ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING result IS NULL AS "isLost"`,
);

/** Pictures with an Idempotency-Key, from before their payment until the key ends, and the claims of the processes that draw them. */
@Injectable()
export class KeyedImagesStore {
  constructor(private readonly database: Database) {}

  /** @returns undefined: the key is new */
  async find(key: string, order: ImageOrder): Promise<KnownImage | undefined> {
    return (await this.database.query<KnownImage>(FIND, [key, fingerprintOf(order)]))[0];
  }

  /** Claims a new key. @returns undefined: another process was first */
  async begin(key: string, order: ImageOrder): Promise<ClaimedImage | undefined> {
    const values = [key, fingerprintOf(order), JSON.stringify(order)];
    return (await this.database.query<ClaimedImage>(BEGIN, values))[0];
  }

  /** Takes over a picture that is not stored yet; the earlier claim is lost. @returns undefined: it was stored or has ended */
  async resume(key: string): Promise<ClaimedImage | undefined> {
    return (await this.database.query<ClaimedImage>(RESUME, [key]))[0];
  }

  /** @param used organizations that used time, the one with the most at the end @returns up to `limit` that no process works on */
  due(limit: number, used: readonly string[] = []): Promise<DueImage[]> {
    return this.database.query<DueImage>(DUE, [limit, used]);
  }

  /** Claims a due one. @returns undefined: another process was first */
  async takeDue(key: string): Promise<ClaimedImage | undefined> {
    return (await this.database.query<ClaimedImage>(TAKE_DUE, [key]))[0];
  }

  /** Those that a process works on too. */
  async unfinished(): Promise<UnfinishedImages> {
    return (await this.database.query<UnfinishedImages>(UNFINISHED))[0] ?? { count: 0, age: 0 };
  }

  /** @returns false when another process has taken it over, or it was stored */
  async renew({ key, attempts }: ClaimedImage): Promise<boolean> {
    return (await this.database.within(RENEW_WITHIN_MS).query(RENEW, [key, attempts])).length > 0;
  }

  /** Runs `work` while the claim is renewed. @param work gets a signal that is aborted with ClaimIsLost when the claim is lost */
  whileHeld<T>(claimed: ClaimedImage, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
    return whileRenewed({ leaseMs: CLAIM_LEASE_MS, renew: () => this.renew(claimed) }, work);
  }

  /** Another process may go on with it after a pause. Does nothing when the claim is lost. */
  async release({ key, attempts }: ClaimedImage): Promise<void> {
    await this.database.query(RELEASE, [key, attempts, backoffMs(attempts)]);
  }

  /** Without a picture. Does nothing when the claim is lost. */
  async remove({ key, attempts }: ClaimedImage): Promise<void> {
    await this.database.query(REMOVE, [key, attempts]);
  }

  /** In the transaction that stores the file. @returns false without any effect: the claim is lost */
  async stored(
    executor: Executor,
    { key, attempts }: ClaimedImage,
    result: GeneratedImage,
  ): Promise<boolean> {
    return (await executor.query(STORED, [key, attempts, JSON.stringify(result)])).length > 0;
  }

  /** Deletes up to `limit` keys that have ended. @returns how many, and how many of them have no picture */
  async purge(limit: number): Promise<{ readonly deleted: number; readonly lost: number }> {
    const rows = await this.database.query<{ isLost: boolean }>(PURGE, [limit]);
    return { deleted: rows.length, lost: rows.filter(({ isLost }) => isLost).length };
  }
}

/** Without the time limit, which operators change: it does not make another picture. */
function fingerprintOf({ call: { timeoutMs: _, ...call }, ...order }: ImageOrder): string {
  return createHash('sha256')
    .update(JSON.stringify([order.brandId, order.organizationId, order.createdBy, call, order.image]))
    .digest('hex');
}
