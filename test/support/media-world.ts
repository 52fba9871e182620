import { createHash, randomBytes } from 'node:crypto';
import type { BusinessApi } from './business-api.js';
import type { Call } from './call.js';

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A request of a client to the store. */
interface Address {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends bytes as a client does, to an address of the store. @returns the status */
export async function put(
  { url, headers }: Address,
  bytes: Uint8Array,
  more: Record<string, string> = {},
): Promise<number> {
  const response = await fetch(url, {
    method: 'PUT',
    headers: { ...headers, ...more },
    body: bytes as Uint8Array<ArrayBuffer>,
  });
  await response.arrayBuffer();
  return response.status;
}

/** Uploads of a person with one brand. */
export class MediaWorld {
  private constructor(
    readonly call: Call,
    readonly brandId: string,
    readonly organizationId: string,
  ) {}

  static async of(api: BusinessApi, person = api.person()): Promise<MediaWorld> {
    const call = api.as(person.token);
    const { body } = await call('POST', '/api/brands', {
      name: 'Acme',
      organizationId: person.organizationId,
    });
    return new MediaWorld(call, body.id as string, person.organizationId);
  }

  /** Asks to upload these bytes, as an image unless told otherwise. */
  begin(bytes: Uint8Array, fields: object = {}, call = this.call) {
    return call('POST', '/api/media/upload', {
      brandId: this.brandId,
      fileName: 'photo.jpg',
      contentType: 'image/jpeg',
      bytes: bytes.length,
      sha256: sha256(bytes),
      ...fields,
    });
  }

  /** Asks for an upload in parts. @returns the id of the file */
  async beginParts(bytes: number, call = this.call): Promise<string> {
    const { brandId } = this;
    const video = { brandId, fileName: 'clip.mp4', contentType: 'video/mp4', bytes };
    return (await call('POST', '/api/media/upload', video)).body.media.id as string;
  }

  complete(mediaId: string, call = this.call) {
    return call('POST', `/api/media/${mediaId}/complete`);
  }

  /** A file that was uploaded and waits for inspection. @returns its id */
  async uploaded(bytes: Uint8Array = randomBytes(64), fields: object = {}): Promise<string> {
    const { media, upload } = (await this.begin(bytes, fields)).body;
    await put(upload, bytes);
    const answer = await this.complete(media.id);
    if (answer.status !== 200) throw new Error(answer.text);
    return media.id as string;
  }
}
