import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';

const EVERY_MS = 60_000;

/** Clocks differ, and a transfer or an upload that began before it can be stored late. */
const OVERLAP = `interval '1 hour'`;

/** $1 since when: brands that changed before have been compared. */
const FIND = statement(
  'find_transferred_storage',
  `SELECT charged.brand_id AS "brandId" FROM brands.brand_owner owner
   JOIN media.storage_of_brand charged ON charged.brand_id = owner.id
   WHERE owner.changed_at > $1::timestamptz AND owner.organization_id <> charged.organization_id`,
);

const COMPARED_UNTIL = statement('storage_is_compared_until', `SELECT (now() - ${OVERLAP})::text AS until`);

/** Locks the row of the brand, then those of both organizations in the order of ids, as uploads do. */
const MOVE = statement(
  'move_transferred_storage',
  `WITH before AS (
     SELECT charged.brand_id, charged.organization_id AS former, owner.organization_id AS owner, charged.bytes
     FROM media.storage_of_brand charged JOIN brands.brand_owner owner ON owner.id = charged.brand_id
     WHERE charged.brand_id = $1 AND owner.organization_id <> charged.organization_id FOR UPDATE OF charged),
   moved AS (
     UPDATE media.storage_of_brand charged SET organization_id = before.owner FROM before
     WHERE charged.brand_id = before.brand_id)
   SELECT uploads.count_bytes(change.organization_id, change.bytes)
   FROM (SELECT former AS organization_id, -bytes AS bytes FROM before UNION ALL SELECT owner, bytes FROM before
         ORDER BY organization_id) AS change`,
);

/**
 * Charges the new organization of a transferred brand for its files. The transfer itself is never refused: an organization that
 * exceeds its quota by it cannot upload until it has deleted files. Several replicas may run it at once.
 */
@Injectable()
export class TransferredStorageSweep extends PeriodicSweep {
  /** As PostgreSQL writes it. The first pass of a process compares all brands. */
  private comparedUntil = '-infinity';

  constructor(private readonly database: Database) {
    super(EVERY_MS);
  }

  async sweep(): Promise<void> {
    const [begun] = await this.database.query<{ until: string }>(COMPARED_UNTIL);
    const found = await this.database.query<{ brandId: string }>(FIND, [this.comparedUntil]);
    for (const { brandId } of found) {
      if (this.isStopping) return;
      await this.database.query(MOVE, [brandId]);
    }
    this.comparedUntil = begun?.until ?? this.comparedUntil;
  }
}
