import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { RequestQuery } from '#libs/messages';
import { ObjectStorage } from '#libs/object-storage';
import type { Generation } from '../domain/generation.js';
import { renditionsOfFile } from '../renditions/queries/get-renditions.js';
import type { RenditionRow } from '../renditions/views/rendition.view.js';
import type { MediaFileRow } from '../views/media-file.view.js';
import { MediaAccess } from './media.access.js';
import { type MediaUse, usesOf } from './media.uses.js';

export interface MediaDetail {
  readonly file: MediaFileRow;
  readonly uses: readonly MediaUse[];
  /** Address of the original for browsers, as a download; valid for `DOWNLOAD_SECONDS`. null unless the file is ready. */
  readonly downloadUrl: string | null;
  readonly renditions: readonly RenditionRow[];
  /** null: no model of this installation made the file. */
  readonly generation: Generation | null;
}

const DOWNLOAD_SECONDS = 300;

const FIND_GENERATION = statement(
  'find_media_generation',
  `SELECT prompt, revised_prompt AS "revisedPrompt", model, requested_model AS "requestedModel", cost, attempts,
     request_id AS "requestId"
   FROM media.generation WHERE media_id = $1`,
);

export class GetMedia extends RequestQuery<{ mediaId: string; caller: Caller }, MediaDetail> {}

@QueryHandler(GetMedia)
export class GetMediaHandler implements IQueryHandler<GetMedia> {
  constructor(
    private readonly database: Database,
    private readonly access: MediaAccess,
    private readonly storage: ObjectStorage,
  ) {}

  async execute({ request: { mediaId, caller } }: GetMedia): Promise<MediaDetail> {
    const file = await this.access.find(mediaId, caller, 'posts.read');
    const uses = await usesOf(this.database, mediaId);
    const renditions = await renditionsOfFile(this.database, mediaId);
    const [generation = null] = await this.database.query<Generation>(FIND_GENERATION, [mediaId]);
    return { file, uses, downloadUrl: await this.downloadOf(file), renditions, generation };
  }

  /** Not bound to the ETag, because a browser that follows a link sends no If-Match; the key is never written twice. */
  private async downloadOf(file: MediaFileRow): Promise<string | null> {
    if (file.status !== 'ready') return null;
    const { url } = await this.storage.presignGet(file.object_key, {
      expiresSeconds: DOWNLOAD_SECONDS,
      downloadName: file.file_name,
      contentType: file.content_type,
    });
    return url;
  }
}
