import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto';
import { jest } from '@jest/globals';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { type Environment, EnvironmentModule, loadConfig } from '#libs/config';
import { type Setting, setting, withSettings } from '#libs/config/testing';
import type { Platform, Target } from '#libs/content';
import { Database, DatabaseConfig, DatabaseIsUnavailable, DatabaseModule } from '#libs/database';
import { DueWorkModule } from '#libs/due-work';
import { EventStoreModule } from '#libs/event-store';
import { anEventMetadata } from '#libs/event-store/testing';
import { HealthModule } from '#libs/health';
import { ObjectStorage, ObjectStorageConfig, ObjectStorageModule } from '#libs/object-storage';
import { bootstrapHttpService, type RunningService } from '#libs/http';
import { create as createBrand } from '../../src/brands/domain/brand.js';
import { Brands } from '../../src/brands/brands.stream.js';
import { BrandsWorkerModule } from '../../src/brands/brands-worker.module.js';
import { IntegrationsWorkerModule } from '../../src/integrations/integrations-worker.module.js';
import { TokensStore } from '../../src/integrations/tokens/tokens.store.js';
import { EndMediaUsesHandler, UseMediaHandler } from '../../src/media/commands/use-media.js';
import { FindMediaHandler } from '../../src/media/queries/find-media.js';
import { MediaAddressesModule } from '../../src/media/host/media-host.module.js';
import { renditionMessages } from '../../src/media/renditions/renditions.providers.js';
import { PostRenditions } from '../../src/posts/media/post-renditions.js';
import { businessMigrations } from '../../src/api/migrations.js';
import { startAttempt } from '../../src/posts/domain/delivery.js';
import { PostIsNotDue } from '../../src/posts/domain/delivery.errors.js';
import type { ThreadPosition } from '../../src/posts/domain/post.events.js';
import type { Post } from '../../src/posts/domain/post.js';
import { fingerprintOf } from '../../src/posts/content/content-fingerprint.js';
import { Posts } from '../../src/posts/posts.stream.js';
import { PostsWorkerModule } from '../../src/posts/posts-worker.module.js';
import { PublisherModule } from '../../src/posts/publisher.module.js';
import { PublishConfig } from '../../src/posts/publishing/publish.config.js';
import { PublisherPosts } from '../../src/posts/publishing/publisher-posts.js';
import { draft } from '../../src/posts/domain/writing.js';
import { type SandboxAccount, SandboxForTests } from './sandbox.js';
import { aMediaFile, type FileFields } from './media-files.js';
import { sharedStorage } from './object-storage.js';
import { finishRenditions } from './renditions.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { waitUntil } from './wait-until.js';

/** What posts ask of the media library, without the work of the library itself. */
@Module({
  imports: [CqrsModule, MediaAddressesModule],
  providers: [FindMediaHandler, UseMediaHandler, EndMediaUsesHandler, ...renditionMessages],
})
class FilesOfPosts {}

@Module({})
class WorkerForTests {
  static of(environment: Environment, publishes: boolean): DynamicModule {
    return {
      module: WorkerForTests,
      imports: [
        EnvironmentModule.forRoot(environment),
        CqrsModule.forRoot(),
        DatabaseModule.forRoot(loadConfig(DatabaseConfig, environment), businessMigrations),
        ...[
          HealthModule.forRoot(),
          EventStoreModule,
          DueWorkModule,
          ObjectStorageModule.forRoot(loadConfig(ObjectStorageConfig, environment)),
          BrandsWorkerModule,
          IntegrationsWorkerModule.forRoot(),
          FilesOfPosts,
          PostsWorkerModule,
        ],
        ...(publishes ? [PublisherModule] : []),
      ],
    };
  }
}

export interface PostToSchedule {
  readonly brandId: string;
  readonly authorId?: string;
  readonly text?: string;
  readonly platform?: Platform;
  readonly target?: Target;
  readonly mediaIds?: readonly string[];
  readonly thread?: ThreadPosition;
  /** Milliseconds from now; negative: it was written just before a time that passed so long ago. */
  readonly inMs?: number;
}

export interface SendableFile extends Omit<FileFields, 'bytes'> {
  readonly platform?: Platform;
  /** Of its rendition. */
  readonly bytes?: Uint8Array;
}

export interface ConnectedBrand {
  readonly brandId: string;
  readonly userId: string;
  readonly connectionId: string;
  readonly account: SandboxAccount;
}

export interface AbandonedAttempt {
  readonly postId: string;
  readonly attemptId: string;
}

/** A database, the sandbox, and the workers that a test starts. */
export class PublishingForTests {
  readonly organizationId = randomUUIDv7();
  private readonly workers: RunningService[] = [];
  private accounts = 0;

  private constructor(
    readonly test: TestDatabase,
    readonly sandbox: SandboxForTests,
    readonly environment: Environment,
    private readonly features: RunningService,
    private readonly settings: readonly Setting[],
  ) {}

  /** @param on the database to work on; a fresh one unless given */
  static async start(
    more: Environment = {},
    on?: TestDatabase,
    settings: readonly Setting[] = [],
  ): Promise<PublishingForTests> {
    const [test, sandbox] = await Promise.all([on ?? createTestDatabase(), SandboxForTests.start()]);
    await sandbox.control('PUT', '/x/settings', { rateLimits: 'off' });
    const environment = {
      ...test.environment,
      ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
      MEDIA_ADDRESS_KEYS: `test:${randomBytes(32).toString('base64')}`,
      INTERNAL_SERVICE_TOKEN: randomBytes(32).toString('hex'),
      ...sharedStorage(),
      X_API_URL: `${sandbox.url}/x`,
      THREADS_GRAPH_URL: `${sandbox.url}/threads`,
      LOG_LEVEL: 'silent',
      NETWORK_TIMEOUT_MS: '4000',
      PUBLISH_LEASE_MS: '12000',
      DELIVERY_WAIT_SCALE: '0.02',
      ...more,
    };
    const features = await boot(environment, false, settings);
    return new PublishingForTests(test, sandbox, environment, features, settings);
  }

  /** The database of the features: a transaction of it can include scheduling. */
  get database(): Database {
    return this.features.app.get(Database, { strict: false });
  }

  get posts(): Posts {
    return this.features.app.get(Posts, { strict: false });
  }

  get tokens(): TokensStore {
    return this.features.app.get(TokensStore, { strict: false });
  }

  /** Appends to posts as a worker does. @param database whose running transaction it joins */
  publisherPosts(database = this.database): Pick<PublisherPosts, 'append'> {
    const unused = undefined as never;
    return new PublisherPosts(database, this.posts, unused, unused, unused);
  }

  /** A provider of the service that publishes nothing. */
  service<T>(type: Type<T>): T {
    return this.features.app.get(type, { strict: false });
  }

  /** Another worker process as far as the database can tell, with settings of its own. */
  async worker(more: Environment = {}, settings: readonly Setting[] = []): Promise<RunningService> {
    const worker = await boot({ ...this.environment, ...more }, true, [...this.settings, ...settings]);
    this.workers.push(worker);
    return worker;
  }

  async stopWorkers(): Promise<void> {
    await Promise.all(this.workers.splice(0).map((worker) => worker.close()));
  }

  async stop(): Promise<void> {
    await this.stopWorkers();
    await this.features.close();
    await this.sandbox.stop();
    await this.test.drop();
  }

  async brand(): Promise<string> {
    const brandId = randomUUIDv7();
    const { organizationId } = this;
    const brand = { id: brandId, organizationId, name: 'Acme', timezone: 'UTC' };
    const metadata = anEventMetadata({ organizationId, brandId });
    await this.features.app
      .get(Brands, { strict: false })
      .create(brandId, () => createBrand(brand), metadata);
    return brandId;
  }

  /** A brand of its own with one connected account. */
  async connectedBrand(network?: string): Promise<ConnectedBrand> {
    const brandId = await this.brand();
    return this.connect(brandId, randomUUID(), undefined, network);
  }

  /** @param network of the sandbox; default X */
  async connect(
    brandId: string,
    userId: string,
    account?: SandboxAccount,
    network = 'x',
  ): Promise<ConnectedBrand> {
    const known = account ?? (await this.sandbox.account(`account_${++this.accounts}`, {}, network));
    const connectionId = randomUUIDv7();
    const { accessToken, refreshToken } = known;
    const grant = { accessToken, refreshToken, expiresAt: null };
    const { access, refresh } = this.tokens.encrypted(connectionId, grant);
    await this.test.database.query(
      `INSERT INTO integrations.connection (id, brand_id, user_id, platform, account_id, username, display_name, scopes,
         pages, groups, state, access_token, refresh_token)
       VALUES ($1, $2, $3, $8, $4, $5, $5, '{}', '[]', '[]', 'active', $6, $7)`,
      [connectionId, brandId, userId, known.id, known.username, access, refresh, network],
    );
    return { brandId, userId, connectionId, account: known };
  }

  /** Stores tokens that the network takes, as the API would. */
  async renew(connectionId: string, username: string): Promise<void> {
    const { accessToken, refreshToken } = await this.sandbox.account(username);
    const grant = { accessToken, refreshToken, expiresAt: null };
    const [stored] = await this.tokens.read([connectionId]);
    await this.tokens.replace(connectionId, stored?.tokenVersion ?? 0, grant);
  }

  /** @returns the post's id */
  async schedule(post: PostToSchedule): Promise<string> {
    const postId = randomUUIDv7();
    const { brandId, authorId = randomUUID(), platform = 'x' as Platform, target = {}, thread = null } = post;
    const { mediaIds = [] } = post;
    const content = { text: post.text ?? `Post ${postId}`, title: null, mediaIds, link: null, target };
    const by = { type: 'user', id: authorId } as const;
    await this.posts.create(
      postId,
      (now) => {
        const at = Date.parse(now) + (post.inMs ?? 300);
        const scheduledAt = new Date(at).toISOString();
        const writtenAt = new Date(Math.min(Date.parse(now), at - 1)).toISOString();
        return draft(
          { postId, brandId, platform, content, thread, blockers: [], scheduledAt, by },
          writtenAt,
        )({ status: 'absent' });
      },
      anEventMetadata({ organizationId: this.organizationId, brandId }),
    );
    return postId;
  }

  /** A file whose rendition for this network is ready. @returns its id */
  async sendableFile(
    brandId: string,
    { platform = 'x' as Platform, bytes = randomBytes(32), ...fields }: SendableFile = {},
  ): Promise<string> {
    const { id } = await aMediaFile(this.test.database, brandId, fields);
    const content = { text: '', title: null, mediaIds: [id], link: null, target: {} };
    await this.service(PostRenditions).prepare({ brandId, platform, content });
    await this.finishRenditions(bytes);
    return id;
  }

  /** Ends the work on all pending renditions. */
  finishRenditions(bytes: Uint8Array = randomBytes(32)): Promise<void> {
    return finishRenditions(this.test.database, this.service(ObjectStorage), bytes);
  }

  /** A post that was due, with a publish attempt whose worker is gone. Nothing was sent to the network. */
  async abandonedAttempt(
    { brandId, connectionId }: Pick<ConnectedBrand, 'brandId' | 'connectionId'>,
    text?: string,
    inMs = 1,
  ): Promise<AbandonedAttempt> {
    const postId = await this.schedule({ brandId, text, inMs });
    const attemptId = randomUUID();
    const { content } = await this.post(postId);
    const attempt = { attemptId, connectionId, fingerprint: fingerprintOf(content) };
    const begin = (now: string) => startAttempt(attempt, now);
    await waitUntil(() =>
      this.posts.change(postId, begin, anEventMetadata()).then(() => true, falseUntilDue),
    );
    return { postId, attemptId };
  }

  async post(postId: string): Promise<Exclude<Post, { status: 'absent' | 'deleted' }>> {
    const { state } = await this.posts.load(postId);
    if (state.status === 'absent' || state.status === 'deleted') throw new Error('The post is gone.');
    return state;
  }

  async failureOf(postId: string) {
    const post = await this.post(postId);
    return post.status === 'failed' ? post.failure : undefined;
  }

  /** How often each text was published, by the network's own account. */
  async published(): Promise<Record<string, number>> {
    const effects = (await this.sandbox.ledger('?kind=post.created&limit=10000')) as { text: string }[];
    const counts: Record<string, number> = {};
    for (const { text } of effects) counts[text] = (counts[text] ?? 0) + 1;
    return counts;
  }

  /** The answer to the COMMIT of the next claim is lost: the database has stored it. */
  loseAnswerToClaim(
    worker: RunningService,
    error: Error = new DatabaseIsUnavailable(new Error('The connection was lost at COMMIT.')),
  ): void {
    const database = worker.app.get(Database, { strict: false });
    const transaction = database.transaction.bind(database);
    let isLost = false;
    jest.spyOn(database, 'transaction').mockImplementation(async (work) => {
      const answer = await transaction(work);
      const isBegun = 'SELECT FROM posts.publication WHERE attempt_id IS NOT NULL';
      if (isLost || (await this.test.database.query(isBegun)).length === 0) return answer;
      isLost = true;
      throw error;
    });
  }

  /** What no service does: changes the last event of a post. @param change such as `type = 'PostTold'` */
  async rewriteLast(postId: string, change: string): Promise<void> {
    await this.test.database.transaction(async (transaction) => {
      await transaction.query(`SELECT set_config('events.maintenance', 'on', true)`);
      await transaction.query(
        `UPDATE events.event SET ${change} WHERE stream = $1
           AND version = (SELECT version FROM events.stream WHERE stream = $1)`,
        [postId],
      );
    });
  }

  /** Event types of a post in order. */
  async history(postId: string): Promise<string[]> {
    const rows = await this.test.database.query<{ type: string }>(
      'SELECT type FROM events.event WHERE stream = $1 ORDER BY version',
      [postId],
    );
    return rows.map(({ type }) => type);
  }
}

function falseUntilDue(error: unknown): false {
  if (error instanceof PostIsNotDue) return false;
  throw error;
}

function boot(
  environment: Environment,
  publishes: boolean,
  settings: readonly Setting[],
): Promise<RunningService> {
  const soon = setting(PublishConfig, { reconcileWaitMs: 20 });
  return bootstrapHttpService(withSettings(WorkerForTests.of(environment, publishes), [soon, ...settings]), {
    service: 'worker',
    environment,
    managementPort: 0,
  });
}
