import { randomBytes } from 'node:crypto';
import type { Environment } from '#libs/config';
import { sandboxClients, sandboxedNetworks } from '../../local/networks.js';
import { BusinessApi } from './business-api.js';
import type { ApiResponse } from './call.js';
import { connectAccount } from './connect-account.js';
import { MediaWorld } from './media-world.js';
import { sharedStorage } from './object-storage.js';
import { SandboxForTests } from './sandbox.js';
import { type SpawnedEntry, spawnEntry } from './spawn-entry.js';
import { waitUntil } from './wait-until.js';

export interface Connected {
  readonly id: string;
  readonly platform: string;
  readonly account: { readonly id: string; readonly username: string };
}

/** A post as a network has it. */
export interface Effect {
  readonly id: string;
  readonly account: { readonly username: string };
  readonly media?: readonly FileOfEffect[];
}

interface FileOfEffect {
  readonly sha256: string;
  readonly contentType: string;
  readonly category: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly altText?: string;
}

interface PostToPublish {
  readonly platform: string;
  readonly text: string;
  readonly [field: string]: unknown;
}

const PUBLIC_URL = 'http://127.0.0.1:3000';
/** A minute: two processes, inspection and renditions on a busy machine. */
export const LIMIT_MS = 60_000;

/**
 * The API, a worker process and the sandbox in the place of the networks, and a person with one brand: uploads, inspection,
 * renditions, the queue and the publication; nothing of the product is replaced by a double.
 */
export class NetworkWorld {
  private constructor(
    readonly api: BusinessApi,
    readonly sandbox: SandboxForTests,
    private readonly worker: SpawnedEntry,
    private readonly media: MediaWorld,
  ) {}

  /** @param ofWorker more of its environment */
  static async start(ofWorker: Environment = {}): Promise<NetworkWorld> {
    const sandbox = await SandboxForTests.start(sandboxedNetworks({}, '', PUBLIC_URL));
    const shared = {
      ...sandboxedNetworks({}, sandbox.url, PUBLIC_URL),
      ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
      MEDIA_ADDRESS_KEYS: `test:${randomBytes(32).toString('base64')}`,
      INTERNAL_SERVICE_TOKEN: randomBytes(32).toString('hex'),
      PUBLIC_URL,
      ...sharedStorage(),
    };
    const api = await BusinessApi.start({ ...shared, ...sandboxClients({}) });
    const { managementUrl, url } = api.service;
    const worker = await spawnEntry('dist/src/worker.js', {
      ...{ ...api.test.environment, ...shared, WORKER_MANAGEMENT_PORT: '0' },
      ...{ API_INTERNAL_URL: managementUrl, MEDIA_PUBLIC_URL: url, ...ofWorker },
    });
    return new NetworkWorld(api, sandbox, worker, await MediaWorld.of(api));
  }

  async stop(): Promise<void> {
    this.worker.process.kill('SIGTERM');
    await new Promise((resolve) => this.worker.process.once('exit', resolve));
    await this.api.stop();
    await this.sandbox.stop();
  }

  /** As the person. */
  get call() {
    return this.media.call;
  }

  /** @returns the text of the page at the end */
  async connect(platform: string, username: string): Promise<string> {
    const { call, brandId } = this.media;
    return (await connectAccount(this, { call, platform, brandId, username })).text;
  }

  async connections(platform: string): Promise<Connected[]> {
    const { body } = await this.call('GET', `/api/integrations?brandId=${this.media.brandId}`);
    return (body.data as Connected[]).filter((each) => each.platform === platform);
  }

  /** @returns the id of the file, once it is ready */
  async upload(bytes: Buffer, fields: object = {}): Promise<string> {
    const mediaId = await this.media.uploaded(bytes, fields);
    const read = () => this.call('GET', `/api/media/${mediaId}`);
    await waitUntil(
      async () => ['ready', 'rejected'].includes((await read()).body.status as string),
      LIMIT_MS,
    );
    expect((await read()).body).toMatchObject({ status: 'ready', rejection: null });
    return mediaId;
  }

  /** Schedules it for the next second. */
  create(post: PostToPublish): Promise<ApiResponse> {
    const scheduledAt = new Date(Date.now() + 1_000).toISOString();
    return this.call('POST', '/api/posts', { brandId: this.media.brandId, scheduledAt, ...post });
  }

  /** @returns the post once it is published or failed */
  async published(post: PostToPublish): Promise<Record<string, unknown>> {
    const created = await this.create(post);
    expect([created.status, created.text]).toEqual([201, expect.any(String)]);
    const read = () => this.call('GET', `/api/posts/${created.body.id as string}`);
    const isOver = async () => ['published', 'failed'].includes((await read()).body.status as string);
    await waitUntil(isOver, LIMIT_MS);
    return (await read()).body as Record<string, unknown>;
  }

  /** What the networks have with this text. */
  async effects(text: string): Promise<Effect[]> {
    const query = new URLSearchParams({ text, kind: 'post.created' });
    return (await this.sandbox.ledger(`?${query.toString()}`)) as Effect[];
  }
}
