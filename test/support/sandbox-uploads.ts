import { bearer, type SandboxAccount, type SandboxForTests, type SandboxResponse } from './sandbox.js';

export type Account = Pick<SandboxAccount, 'accessToken'>;

const KINDS = {
  'image/jpeg': 'tweet_image',
  'image/png': 'tweet_image',
  'image/webp': 'tweet_image',
  'image/gif': 'tweet_gif',
  'video/mp4': 'tweet_video',
} as const;

export interface FileToUpload {
  readonly bytes: Uint8Array;
  readonly type: keyof typeof KINDS;
}

/** Media uploads of X, call by call. */
export class SandboxUploads {
  constructor(private readonly sandbox: SandboxForTests) {}

  initialize(account: Account, body: object): Promise<SandboxResponse> {
    return this.sandbox.call('POST', '/x/2/media/upload/initialize', {
      headers: { ...bearer(account), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  append(account: Account, id: string, index: number | string, bytes: Uint8Array): Promise<SandboxResponse> {
    const body = new FormData();
    body.set('segment_index', String(index));
    body.set('media', new Blob([new Uint8Array(bytes)]), 'segment');
    return this.sandbox.call('POST', `/x/2/media/upload/${id}/append`, { headers: bearer(account), body });
  }

  finalize(account: Account, id: string): Promise<SandboxResponse> {
    return this.sandbox.call('POST', `/x/2/media/upload/${id}/finalize`, { headers: bearer(account) });
  }

  status(account: Account, id: string): Promise<SandboxResponse> {
    return this.sandbox.get(account, `/x/2/media/upload?command=STATUS&media_id=${id}`);
  }

  whole(account: Account, { bytes, type }: FileToUpload, category: string = KINDS[type]) {
    const body = new FormData();
    body.set('media_category', category);
    body.set('media', new Blob([new Uint8Array(bytes)], { type }), 'file');
    return this.sandbox.call('POST', '/x/2/media/upload', { headers: bearer(account), body });
  }

  describe(account: Account, id: string, text: string): Promise<SandboxResponse> {
    return this.sandbox.call('POST', '/x/2/media/metadata', {
      headers: { ...bearer(account), 'content-type': 'application/json' },
      body: JSON.stringify({ id, metadata: { alt_text: { text } } }),
    });
  }

  /** @param segmentBytes of every segment but the last @returns the response to the finalization */
  async chunked(
    account: Account,
    { bytes, type }: FileToUpload,
    segmentBytes = bytes.length,
  ): Promise<SandboxResponse> {
    const begun = await this.begun(account, { bytes, type });
    for (let index = 0; index * segmentBytes < bytes.length; index += 1) {
      const segment = bytes.subarray(index * segmentBytes, (index + 1) * segmentBytes);
      await this.append(account, begun, index, segment);
    }
    return this.finalize(account, begun);
  }

  /** @returns the media id */
  async begun(account: Account, { bytes, type }: FileToUpload): Promise<string> {
    const { body } = await this.initialize(account, {
      media_type: type,
      total_bytes: bytes.length,
      media_category: KINDS[type],
    });
    return (body as { data: { id: string } }).data.id;
  }
}
