import { Injectable } from '@nestjs/common';
import { type AiMark, type DeliveryFile, MediaIsMissing } from '#libs/content';
import { Database, statement } from '#libs/database';
import { ObjectHasChanged, ObjectStorage } from '#libs/object-storage';
import { MediaAddresses } from '../../host/media-addresses.js';
import type { RenditionRow } from '../views/rendition.view.js';

export type ReadyRow = RenditionRow & {
  readonly ai_mark: AiMark | null;
  readonly alt_text: string | null;
};

/** $2: the object that is gone. A rendition that was made again in the meantime has another one. */
const MAKE_AGAIN = statement(
  'make_lost_rendition_again',
  `UPDATE media.rendition SET status = 'pending', object_key = NULL, etag = NULL, content_type = NULL, bytes = NULL,
     width = NULL, height = NULL, duration_ms = NULL, takeovers = 0, due_at = now(), awaited_since = now()
   WHERE id = $1 AND status = 'ready' AND object_key = $2`,
);

/** Opens renditions in the object store. One whose object is gone is made again for later requests. */
@Injectable()
export class RenditionFiles {
  constructor(
    private readonly database: Database,
    private readonly storage: ObjectStorage,
    private readonly addresses: MediaAddresses,
  ) {}

  /** @param row of a rendition that is ready */
  fileOf(row: ReadyRow): DeliveryFile {
    const { id, media_id: mediaId, width, height, object_key: object, etag } = row;
    if (object === null || etag === null || row.content_type === null)
      throw new Error(`Rendition ${row.id} is not ready.`);
    return {
      mediaId,
      // Each attempt to make a rendition has a key of its own.
      revision: object,
      kind: row.spec.kind,
      contentType: row.content_type,
      bytes: Number(row.bytes),
      width,
      height,
      durationMs: row.duration_ms,
      aiMark: row.ai_mark,
      altText: row.alt_text,
      open: (start, end) => this.open({ id, mediaId, object, etag }, { start, end }),
      address: () => this.addresses.of({ mediaId, object }),
    };
  }

  private async open(
    { id, mediaId, object, etag }: { id: string; mediaId: string; object: string; etag: string },
    range: { start: number; end: number },
  ): Promise<AsyncIterable<Uint8Array>> {
    try {
      const stored = await this.storage.get(object, { range, etag });
      if (stored) return stored.body as AsyncIterable<Uint8Array>;
      await this.database.query(MAKE_AGAIN, [id, object]);
    } catch (error) {
      if (!(error instanceof ObjectHasChanged)) throw error;
    }
    throw new MediaIsMissing(mediaId);
  }
}
