import { Injectable } from '@nestjs/common';
import { MediaIsMissing } from '#libs/content';
import { ObjectHasChanged, ObjectStorage } from '#libs/object-storage';
import { MediaAddresses } from '../../host/media-addresses.js';
import type { RenditionRow } from '../views/rendition.view.js';
import type { RenditionFile } from './rendition-file.js';

export type ReadyRow = RenditionRow & { readonly alt_text: string | null };

/** Opens renditions in the object store. */
@Injectable()
export class RenditionFiles {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly addresses: MediaAddresses,
  ) {}

  /** @param row of a rendition that is ready */
  fileOf(row: ReadyRow): RenditionFile {
    const { media_id: mediaId, width, height, object_key: object, etag } = row;
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
      altText: row.alt_text,
      open: (start, end) => this.open({ mediaId, object, etag }, { start, end }),
      address: () => this.addresses.of({ mediaId, object }),
    };
  }

  private async open(
    { mediaId, object, etag }: { mediaId: string; object: string; etag: string },
    range: { start: number; end: number },
  ): Promise<AsyncIterable<Uint8Array>> {
    try {
      const stored = await this.storage.get(object, { range, etag });
      if (stored) return stored.body as AsyncIterable<Uint8Array>;
    } catch (error) {
      if (!(error instanceof ObjectHasChanged)) throw error;
    }
    throw new MediaIsMissing(mediaId);
  }
}
