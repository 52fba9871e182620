import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Database, statement, type Transaction } from '#libs/database';
import { type EventMetadata, retryOnConflict } from '#libs/event-store';
import { RequestCommand } from '#libs/messages';
import type { MediaEvent } from '../domain/media.events.js';
import { MediaLog } from '../media.stream.js';
import { MediaObjects, OBJECT_IS_GONE } from '../media-objects.store.js';
import { MEDIA_FILE_COLUMNS, type MediaFileRow } from '../views/media-file.view.js';
import type { Accepted, Rejection } from '../inspection/domain/inspection.types.js';

interface DerivedKeys {
  /** Announced with `MediaObjects` before the objects were stored; null: a video keeps those of its poster. */
  readonly thumbnailKey: string | null;
  readonly previewKey: string | null;
}

export type InspectionOutcome =
  (Omit<Accepted, 'thumbnail' | 'preview'> & DerivedKeys) | ({ readonly kind: 'rejected' } & Rejection);

export interface InspectionToRecord {
  readonly mediaId: string;
  readonly etag: string;
  readonly outcome: InspectionOutcome;
}

/**
 * Ends the inspection of a file: `ready`, or `rejected` and its object removed. Idempotent. A ready poster replaces the earlier one
 * of its video, which is deleted. A ready file whose object is gone is `rejected` too, and keeps its facts.
 * docs/design/media.md
 * @returns false without any effect when the file was deleted, is not being inspected, or has another object
 * @throws UploadTookTooLong when a derived object is being removed as abandoned
 */
export class RecordInspection extends RequestCommand<InspectionToRecord, boolean> {}

type Inspected = MediaFileRow & { readonly organization_id: string };

/** What the store lost can be an inspected file. */
const HAS_OBJECT = `id = $1 AND etag = $2 AND (status = 'inspecting' OR status = 'ready' AND $3)`;

const FIND = statement(
  'find_inspected_media',
  `SELECT file.*, owner.organization_id
   FROM (SELECT ${MEDIA_FILE_COLUMNS} FROM media.file WHERE ${HAS_OBJECT}) AS file
   JOIN brands.brand_owner owner ON owner.id = file.brand_id`,
);

const record = (name: string, set: string) =>
  statement(
    name,
    `UPDATE media.file SET ${set}, inspect_due_at = NULL, version = version + 1, updated_at = now()
     WHERE ${HAS_OBJECT} RETURNING id`,
  );

const ACCEPT = record(
  'accept_media',
  `status = 'ready', kind = $4, content_type = $5, facts = $6, width = $7, height = $8, duration_ms = $9,
   thumbnail_key = coalesce($10, thumbnail_key), preview_key = coalesce($11, preview_key),
   ai_mark = coalesce(ai_mark, $12)`,
);

const REJECT = record('reject_media', `status = 'rejected', rejection = $4`);

/** A deletion locks a video before its posters: so does this. FOR NO KEY UPDATE, because another upload may refer to the video. */
const LOCK_VIDEO = statement(
  'lock_video_of_poster',
  'SELECT FROM media.file WHERE id = $1 FOR NO KEY UPDATE',
);

/** Rolls the transaction back. */
class IsOutdated extends Error {}

@CommandHandler(RecordInspection)
export class RecordInspectionHandler implements ICommandHandler<RecordInspection> {
  constructor(
    private readonly database: Database,
    private readonly log: MediaLog,
    private readonly objects: MediaObjects,
  ) {}

  async execute({ request }: RecordInspection): Promise<boolean> {
    try {
      return await retryOnConflict(this.database, () => this.record(request));
    } catch (error) {
      if (error instanceof IsOutdated) return false;
      throw error;
    }
  }

  private async record({ mediaId, etag, outcome }: InspectionToRecord): Promise<boolean> {
    const [file] = await this.database.query<Inspected>(FIND, [mediaId, etag, isLoss(outcome)]);
    if (!file) return false;
    return this.database.transaction(async (transaction) => {
      await this.log.appendAs(transaction, contextOf(file), eventOf(file, outcome));
      if (file.poster_of !== null) await transaction.query(LOCK_VIDEO, [file.poster_of]);
      const [sql, values] = writeOf(outcome);
      const written = await transaction.query(sql, [mediaId, etag, isLoss(outcome), ...values]);
      if (written.length === 0) throw new IsOutdated();
      await this.adopt(transaction, outcome);
      return true;
    });
  }

  private async adopt(transaction: Transaction, outcome: InspectionOutcome): Promise<void> {
    if (outcome.kind === 'rejected') return;
    for (const key of [outcome.thumbnailKey, outcome.previewKey])
      if (key !== null) await this.objects.adopt(transaction, key);
  }
}

/** The actor is the uploader: the worker only finds out what was uploaded. */
const contextOf = (file: Inspected): EventMetadata => ({
  organizationId: file.organization_id,
  brandId: file.brand_id,
  actor: { type: file.created_by_type, id: file.created_by },
  channel: 'worker',
  requestId: null,
  correlationId: file.id,
  causationId: null,
});

const isLoss = (outcome: InspectionOutcome): boolean =>
  outcome.kind === 'rejected' && outcome.code === OBJECT_IS_GONE.code;

function eventOf({ id: mediaId, brand_id: brandId }: Inspected, outcome: InspectionOutcome): MediaEvent {
  if (outcome.kind === 'accepted') return { type: 'MediaAdded', data: { mediaId, brandId } };
  return { type: 'MediaRejected', data: { mediaId, brandId, code: outcome.code } };
}

function writeOf(outcome: InspectionOutcome) {
  if (outcome.kind === 'rejected') {
    const { code, message } = outcome;
    return [REJECT, [JSON.stringify({ code, message })]] as const;
  }
  const { facts, contentType, thumbnailKey, previewKey, aiMark } = outcome;
  const { kind, width, height, durationMs } = facts;
  const shown = [kind, contentType, JSON.stringify(facts), width, height, durationMs];
  return [ACCEPT, [...shown, thumbnailKey, previewKey, aiMark]] as const;
}
