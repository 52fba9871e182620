import { Logger } from '@nestjs/common';
import { type Database, statement, type Transaction } from '#libs/database';
import { type Leases, PeriodicSweep } from '#libs/due-work';
import type { ObjectStorage } from '#libs/object-storage';
import { UploadTookTooLong } from './upload.errors.js';

/** Longer than the upload to the store and the insert of the row: the whole file is on disk before. */
const ADOPTED_WITHIN = '1 hour';
const RETRY_AFTER = '5 minutes';

interface Removal {
  readonly key: string;
  /** Of a multipart upload that may not be completed; null without one. */
  readonly upload_id: string | null;
}

/**
 * Tracks the objects of a feature that no row owns: announced before the upload, adopted with the row, removed otherwise. An
 * object whose removal has begun cannot be adopted. Triggers of the feature add the objects of rows that are deleted.
 *
 * The table of the feature: `key text PRIMARY KEY, adoptable boolean NOT NULL DEFAULT false, due_at timestamptz NOT NULL DEFAULT
 * now(), writable_until timestamptz, upload_id text`. Until `writable_until` a client can store the object again: the removal
 * is then repeated.
 */
export abstract class UnownedObjects {
  private readonly logger = new Logger(this.constructor.name);
  private readonly sql: ReturnType<typeof statementsOf>;

  /** @param table with its schema */
  constructor(
    private readonly database: Database,
    private readonly storage: ObjectStorage,
    table: string,
  ) {
    this.sql = statementsOf(table);
  }

  /** Must be called before the object is stored, outside of any transaction that can be rolled back. */
  async announce(key: string): Promise<void> {
    await this.database.query(this.sql.announce, [key]);
  }

  /** The object belongs to the row that this transaction writes. @throws UploadTookTooLong when it is being removed */
  async adopt(transaction: Transaction, key: string): Promise<void> {
    if ((await transaction.query(this.sql.adopt, [key])).length === 0) throw new UploadTookTooLong();
  }

  /** Removes the object at once unless it was adopted. Never throws: the sweep repeats a failed removal. */
  async discard(key: string): Promise<void> {
    try {
      await this.remove(await this.database.query<Removal>(this.sql.claim, [key]));
    } catch (error) {
      this.logger.warn(error, 'object removal failed; the sweep repeats it');
    }
  }

  /**
   * Removes up to `limit` objects that are due; an object whose removal fails is due again in a few minutes.
   * @param until by performance.now(): no removal starts later. @returns how many were due.
   * @throws ObjectStorageIsUnavailable when a removal failed; all others are tried nevertheless
   */
  async removeDue(limit: number, until: number): Promise<number> {
    const due = await this.database.query<Removal>(this.sql.claimDue, [limit]);
    await this.remove(due, until);
    return due.length;
  }

  private async remove(due: readonly Removal[], until = Infinity): Promise<void> {
    if (due.length === 0) return;
    const removed: string[] = [];
    const failures: unknown[] = [];
    for (const removal of due) {
      if (performance.now() > until) break;
      await this.removeOne(removal).then(
        () => removed.push(removal.key),
        (error: unknown) => failures.push(error),
      );
    }
    await this.database.query(this.sql.postpone, [removed]);
    await this.database.query(this.sql.forget, [removed]);
    if (failures.length > 0) throw failures[0];
  }

  private async removeOne({ key, upload_id: uploadId }: Removal): Promise<void> {
    if (uploadId !== null) await this.storage.multipart.abort({ key, uploadId });
    await this.storage.delete(key);
  }
}

function statementsOf(table: string) {
  const named = (name: string, text: string) => statement(`${name}_of_${table}`, text);
  const claim = (name: string, which: string) =>
    named(
      name,
      `UPDATE ${table} SET adoptable = false, due_at = now() + interval '${RETRY_AFTER}'
       WHERE ${which} RETURNING key, upload_id`,
    );
  return {
    announce: named(
      'announce_object',
      `INSERT INTO ${table} (key, adoptable, due_at) VALUES ($1, true, now() + interval '${ADOPTED_WITHIN}')`,
    ),
    adopt: named('adopt_object', `DELETE FROM ${table} WHERE key = $1 AND adoptable RETURNING key`),
    claim: claim('claim_object', 'key = $1'),
    claimDue: claim(
      'claim_objects',
      `key IN (SELECT key FROM ${table} WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    ),
    postpone: named(
      'postpone_objects',
      `UPDATE ${table} SET due_at = writable_until WHERE key = ANY($1::text[]) AND writable_until > now()`,
    ),
    forget: named(
      'forget_objects',
      `DELETE FROM ${table} WHERE key = ANY($1::text[]) AND (writable_until IS NULL OR writable_until <= now())`,
    ),
  };
}

const EVERY_MS = 60_000;
const LEASE_MS = 5 * EVERY_MS;
/** A sweep must end well inside its lease even when the store is slow; the next sweep continues. */
const MAX_DURATION_MS = 2 * EVERY_MS;
const BATCH_SIZE = 50;

/** Removes the objects of a feature that no row owns. One replica at a time, by a lease. */
export abstract class UnownedObjectsSweep extends PeriodicSweep {
  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly objects: UnownedObjects,
    private readonly lease: string,
  ) {
    super(EVERY_MS);
  }

  /** @returns how many objects were due; 0 when another replica holds the lease. */
  async sweep(): Promise<number> {
    const removed = await this.leases.whileHeld(this.database, this.lease, LEASE_MS, () => {
      const until = performance.now() + MAX_DURATION_MS;
      const removeDue = () => this.objects.removeDue(BATCH_SIZE, until);
      return this.inBatches(BATCH_SIZE, async () => (performance.now() < until ? removeDue() : 0));
    });
    return removed ?? 0;
  }
}
