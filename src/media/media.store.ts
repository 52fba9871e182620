import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/auth';
import { Database, type Statement, type Transaction } from '#libs/database';
import { retryOnConflict, StreamHasMoved, VersionIsStale } from '#libs/event-store';
import { StorageQuota } from '#libs/uploads';
import type { MediaEvent } from './domain/media.events.js';
import { MediaLog } from './media.stream.js';
import { MediaAccess, type OwnedFile } from './queries/media.access.js';
import type { MediaFileRow } from './views/media-file.view.js';

export interface MediaToChange {
  readonly mediaId: string;
  readonly caller: Caller;
  readonly ifVersion?: number;
}

/** A change of a file: its event and the statement that applies it to an id and version. */
export interface MediaChange {
  readonly event: MediaEvent;
  /** $1 is the id, $2 the required version, then `values`. */
  readonly write: Statement;
  readonly values?: readonly unknown[];
  /** `write` changes the bytes of the organization. */
  readonly countsBytes?: boolean;
  /** After the event and before `write`: what only a lock makes certain. */
  readonly check?: (transaction: Transaction) => Promise<void>;
}

/** After each conflict another change is stored. */
const MAX_ATTEMPTS = 20;

/** Files are rows; their events are appended to the log in the same transaction. */
@Injectable()
export class MediaFiles {
  constructor(
    private readonly database: Database,
    private readonly log: MediaLog,
    private readonly access: MediaAccess,
    private readonly quota: StorageQuota,
  ) {}

  /**
   * Decides on the current file, again after a concurrent update. Null means no change.
   * @returns the file after the change; the former one when it was deleted
   * @throws MediaNotFound, ScopeIsMissing, VersionIsStale, the errors of `decide` and `check`
   */
  change(request: MediaToChange, decide: (file: OwnedFile) => MediaChange | null): Promise<MediaFileRow> {
    return retryOnConflict(this.database, () => this.tryToChange(request, decide), MAX_ATTEMPTS);
  }

  private async tryToChange(
    { mediaId, caller, ifVersion }: MediaToChange,
    decide: (file: OwnedFile) => MediaChange | null,
  ): Promise<MediaFileRow> {
    const file = await this.access.find(mediaId, caller, 'posts.write');
    if (ifVersion !== undefined && ifVersion !== file.version) throw new VersionIsStale(file.version);
    const change = decide(file);
    if (change === null) return file;
    const apply = () => this.apply(change, file, caller);
    return change.countsBytes ? this.quota.inTurn(file.organization_id, apply) : apply();
  }

  private apply(change: MediaChange, file: OwnedFile, caller: Caller): Promise<MediaFileRow> {
    const { id, version, organization_id: organizationId, brand_id: brandId } = file;
    return this.database.transaction(async (transaction) => {
      await this.log.append(transaction, caller, { organizationId, brandId }, change.event);
      await this.access.hold(file);
      await change.check?.(transaction);
      const values = [id, version, ...(change.values ?? [])];
      const [after] = await transaction.query<MediaFileRow>(change.write, values);
      if (!after) throw new StreamHasMoved(id, version, null, 'version');
      return after;
    });
  }
}
