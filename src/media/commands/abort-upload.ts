import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { retryOnConflict } from '#libs/event-store';
import { RequestCommand } from '#libs/messages';
import { StorageQuota } from '#libs/uploads';
import { UploadIsComplete } from '../domain/media.errors.js';
import { MediaObjects } from '../media-objects.store.js';
import { MediaAccess } from '../queries/media.access.js';

/** Ends an upload: the file and what was uploaded are removed. */
export class AbortUpload extends RequestCommand<{ mediaId: string; caller: Caller }, void> {}

/** A trigger keeps the key of the object and the id of its upload for removal. */
const ABORT = statement(
  'abort_media_upload',
  `DELETE FROM media.file WHERE id = $1 AND status = 'uploading' RETURNING id`,
);

@CommandHandler(AbortUpload)
export class AbortUploadHandler implements ICommandHandler<AbortUpload> {
  constructor(
    private readonly database: Database,
    private readonly access: MediaAccess,
    private readonly objects: MediaObjects,
    private readonly quota: StorageQuota,
  ) {}

  async execute({ request }: AbortUpload): Promise<void> {
    const key = await retryOnConflict(this.database, () => this.abort(request));
    await this.objects.discard(key);
  }

  private async abort({ mediaId, caller }: AbortUpload['request']): Promise<string> {
    const file = await this.access.find(mediaId, caller, 'posts.write');
    const remove = () =>
      this.database.transaction(async (transaction) => {
        await this.access.hold(file);
        if ((await transaction.query(ABORT, [mediaId])).length === 0) throw new UploadIsComplete();
      });
    await this.quota.inTurn(file.organization_id, remove);
    return file.object_key;
  }
}
