import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { FixedClock } from '#libs/clock/testing';
import { OwnStorage } from './object-storage.js';
import { type RawResponse, sendRaw, sha256, signedHeaders } from './signed-request.js';

/** The fixed time of the store. */
export const NOW = new Date('2026-11-22T10:00:00Z');

type Signing = Parameters<typeof signedHeaders>[0];
type SignedRequest = Pick<Signing, 'method' | 'target'> & Partial<Signing>;

/** A request and its defect. */
export interface Attempt extends Partial<Signing> {
  readonly body?: string | Buffer;
  /** Changes what was signed. */
  readonly tamper?: Readonly<Record<string, string | undefined>>;
}

export const statusAndCode = ({ status, code }: RawResponse) => [status, code];

/** An embedded object store with a fixed clock and one object: `secret`, whose content is its key. */
export class StorageForRefusals {
  readonly host: string;

  private constructor(
    private readonly own: OwnStorage,
    readonly clock: FixedClock,
    readonly client: S3Client,
  ) {
    this.host = new URL(own.endpoint).host;
  }

  static async start(options: Parameters<typeof OwnStorage.start>[0] = {}): Promise<StorageForRefusals> {
    const clock = new FixedClock(NOW);
    const own = await OwnStorage.start({ clock, ...options });
    const client = own.client({ systemClockOffset: NOW.getTime() - new Date().getTime() });
    await client.send(new PutObjectCommand({ Bucket: 'test', Key: 'secret', Body: 'secret' }));
    return new StorageForRefusals(own, clock, client);
  }

  /** Credentials, region and time of a valid signature. */
  get signing() {
    const { accessKeyId, secret } = this.own;
    return { accessKeyId, secret, region: 'us-east-1', at: NOW, host: this.host };
  }

  signed(request: SignedRequest) {
    return signedHeaders({ ...this.signing, payloadHash: sha256(''), ...request });
  }

  send(
    method: string,
    target: string,
    headers: Readonly<Record<string, string>>,
    body?: string | Buffer,
  ): Promise<RawResponse> {
    return sendRaw(this.own.endpoint, method, target, headers, body);
  }

  /** Reads the object, unless the attempt overrides the request. */
  attempt(attempt: Attempt): Promise<RawResponse> {
    const { method = 'GET', target = '/test/secret', body = '', tamper = {}, ...more } = attempt;
    const { headers } = this.signed({ payloadHash: sha256(body), ...more, method, target });
    const lengths = body.length > 0 ? { 'content-length': String(Buffer.byteLength(body)) } : {};
    const filled = Object.entries({ ...lengths, ...headers, ...tamper }).filter(
      (each): each is [string, string] => each[1] !== undefined,
    );
    return this.send(method, target, Object.fromEntries(filled), body);
  }

  /** Stores another object, unless the attempt overrides the request. */
  put(attempt: Attempt): Promise<RawResponse> {
    return this.attempt({ method: 'PUT', target: '/test/new', body: 'content', ...attempt });
  }

  /** Resets the clock. @throws what `expect` throws when more than the one object is kept */
  async mustBeUnchanged(): Promise<void> {
    this.clock.jumpTo(NOW);
    expect(await this.own.leftovers()).toEqual([]);
    expect(await this.own.paths()).toHaveLength(1);
  }

  async remove(): Promise<void> {
    this.client.destroy();
    await this.own.remove();
  }
}
