import { randomBytes, randomUUID } from 'node:crypto';
import { GatewayClient } from '../gateway-client.js';
import type {
  ChannelCall,
  GatewayResult,
  NewVideo,
  PublishedVideo,
  UploadState,
  VideoChannel,
  VideoPart,
} from '../gateway.types.js';

interface FakeUpload {
  readonly organizationId: string;
  readonly video: NewVideo;
  received: Buffer;
  published: PublishedVideo | null;
}

const PART_UNIT = 262_144;
const HOUR_MS = 3_600_000;
const PART_NOT_VALID = {
  kind: 'refused',
  status: 400,
  reason: 'part_not_valid',
  retryAfterMs: null,
} as const;

/** In-memory gateway. It passes the same contract tests as the service (test/integration/gateway-contract.int-spec.ts). */
export class FakeGateway extends GatewayClient {
  isConfigured = true;
  /** Calls that cost quota, per day. */
  quota = 100;
  readonly published: { readonly video: NewVideo; readonly bytes: Buffer }[] = [];
  private readonly channels = new Map<string, VideoChannel | null>();
  private readonly uploads = new Map<string, FakeUpload>();
  private isDown = false;

  /** Adds an account. @returns its access token */
  account(channel: VideoChannel | null): string {
    const token = randomBytes(16).toString('hex');
    this.channels.set(token, channel);
    return token;
  }

  /** Further calls do not reach the provider. */
  goDown(): void {
    this.isDown = true;
  }

  comeBack(): void {
    this.isDown = false;
  }

  /** The provider forgets the uploads that are not complete. */
  endUploads(): void {
    for (const [id, { published }] of this.uploads) if (!published) this.uploads.delete(id);
  }

  channel(call: ChannelCall): Promise<GatewayResult<VideoChannel | null>> {
    return this.metered(call, () => this.channels.get(call.accessToken) ?? null);
  }

  beginUpload(call: ChannelCall, video: NewVideo): Promise<GatewayResult<{ uploadId: string }>> {
    return this.metered(call, () => {
      const uploadId = randomUUID();
      const { organizationId } = call;
      this.uploads.set(uploadId, { organizationId, video, received: Buffer.alloc(0), published: null });
      return { uploadId };
    });
  }

  async sendPart(call: ChannelCall, part: VideoPart): Promise<GatewayResult<UploadState>> {
    const upload = this.uploads.get(part.uploadId);
    if (this.isDown) return { kind: 'not-sent', reason: 'ECONNREFUSED' };
    if (part.maySend?.() === false) return { kind: 'withheld' };
    if (upload?.organizationId !== call.organizationId) return { kind: 'gone' };
    if (!isPart(part, upload)) return PART_NOT_VALID;
    const refusal = this.refusalOf(call);
    if (refusal) return refusal;
    const sent = await bytesOf(part);
    if (sent.length !== part.length) return { kind: 'no-answer', reason: 'ERR_LENGTH' };
    // Bytes that the provider has already are not stored again.
    if (part.start <= upload.received.length)
      upload.received = Buffer.concat([upload.received, sent.subarray(upload.received.length - part.start)]);
    this.publishIfComplete(upload);
    return { kind: 'answered', value: stateOf(upload) };
  }

  uploadState(call: ChannelCall, uploadId: string): Promise<GatewayResult<UploadState>> {
    const upload = this.uploads.get(uploadId);
    if (this.isDown) return Promise.resolve({ kind: 'not-sent', reason: 'ECONNREFUSED' });
    if (upload?.organizationId !== call.organizationId) return Promise.resolve({ kind: 'gone' });
    return Promise.resolve({ kind: 'answered', value: stateOf(upload) });
  }

  private publishIfComplete(upload: FakeUpload): void {
    const { video, received, published } = upload;
    if (published || received.length < video.bytes) return;
    upload.published = { id: randomBytes(8).toString('base64url'), privacy: video.privacy };
    this.published.push({ video, bytes: received });
  }

  private metered<T>(call: ChannelCall, answer: () => T): Promise<GatewayResult<T>> {
    if (this.isDown) return Promise.resolve({ kind: 'not-sent', reason: 'ECONNREFUSED' });
    if (this.quota <= 0) return Promise.resolve({ kind: 'exhausted', retryAfterMs: HOUR_MS });
    this.quota -= 1;
    return Promise.resolve(this.refusalOf(call) ?? { kind: 'answered', value: answer() });
  }

  private refusalOf({ accessToken }: ChannelCall): GatewayResult<never> | null {
    if (this.channels.has(accessToken)) return null;
    return { kind: 'refused', status: 401, reason: 'authError', retryAfterMs: null };
  }
}

function isPart({ start, length, total }: VideoPart, { video }: FakeUpload): boolean {
  const end = start + length;
  return total === video.bytes && end <= total && (end === total || length % PART_UNIT === 0);
}

async function bytesOf({ bytes }: VideoPart): Promise<Buffer> {
  if (typeof bytes !== 'function') return Buffer.from(bytes);
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const stateOf = ({ published, received }: FakeUpload): UploadState =>
  published ? { state: 'complete', video: published } : { state: 'incomplete', nextByte: received.length };
