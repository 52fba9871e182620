import type { DeliveryFile } from '#libs/content';

const CHUNK_BYTES = 16_384;

/** A file whose bytes are in memory. Notes what is read of it. */
export class MemoryFile implements DeliveryFile {
  readonly mediaId: string = 'm1';
  readonly revision: string = 'r1';
  readonly kind: DeliveryFile['kind'] = 'image';
  readonly contentType: string = 'image/jpeg';
  readonly bytes: number;
  readonly width = null;
  readonly height = null;
  readonly durationMs = null;
  readonly aiMark: DeliveryFile['aiMark'] = null;
  readonly altText: string | null = null;
  /** Start and end of each read. */
  readonly opened: [start: number, end: number][] = [];
  /** Called before each chunk, with its offset; what it throws ends the read. */
  onChunk: (offset: number) => void = () => undefined;

  constructor(
    readonly content: Uint8Array,
    more: Partial<
      Pick<DeliveryFile, 'mediaId' | 'revision' | 'kind' | 'contentType' | 'aiMark' | 'altText' | 'bytes'>
    > = {},
  ) {
    this.bytes = content.length;
    const { mediaId = this.mediaId, kind = this.kind, contentType = this.contentType } = more;
    const { altText = this.altText, aiMark = this.aiMark, bytes = this.bytes } = more;
    const { revision = this.revision } = more;
    Object.assign(this, { mediaId, revision, kind, contentType, aiMark, altText, bytes });
  }

  open(start: number, end: number): Promise<AsyncIterable<Uint8Array>> {
    this.opened.push([start, end]);
    return Promise.resolve(this.chunks(start, Math.min(end, this.content.length)));
  }

  address(): string {
    return `http://127.0.0.1:1/m/${this.mediaId}`;
  }

  private async *chunks(start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let offset = start; offset < end; offset += CHUNK_BYTES) {
      this.onChunk(offset);
      yield await Promise.resolve(this.content.subarray(offset, Math.min(offset + CHUNK_BYTES, end)));
    }
  }
}
