import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { UploadIsComplete } from '../domain/media.errors.js';
import { MediaObjects } from '../objects/media.objects.js';
import { MediaAccess } from '../queries/media.access.js';

export interface AbortUploadRequest {
  readonly mediaId: string;
  readonly caller: Caller;
}

/** Ends an upload: the file and what was uploaded are removed. @throws MediaNotFound, ScopeIsMissing, UploadIsComplete */
export class AbortUpload extends Command<void> {
  constructor(readonly request: AbortUploadRequest) {
    super();
  }
}

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
  ) {}

  async execute({ request: { mediaId, caller } }: AbortUpload): Promise<void> {
    const file = await this.access.find(mediaId, caller, 'posts.write');
    if ((await this.database.query(ABORT, [mediaId])).length === 0) throw new UploadIsComplete();
    await this.objects.discard(file.object_key);
  }
}
