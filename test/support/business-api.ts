import { randomBytes, randomUUID } from 'node:crypto';
import { type DynamicModule, Module } from '@nestjs/common';
import { type Environment, EnvironmentModule, loadConfig } from '#libs/config';
import { type Setting, withSettings } from '#libs/config/testing';
import { DatabaseConfig, DatabaseModule } from '#libs/database';
import { EventStoreModule, Projections, Reactions, type Rebuilt } from '#libs/event-store';
import { bootstrapHttpService, loadService, type RunningService, startHttpService } from '#libs/http';
import { FakeIdentity, type ServedIdentity, serveFakeIdentity } from '#libs/platform-client/testing';
import { ContentOpsWorkerModule } from '../../src/content-ops/content-ops-worker.module.js';
import { apiService } from '../../src/api/service.js';
import { businessMigrations } from '../../src/api/migrations.js';
import { type Call, callOf } from './call.js';
import { sharedStorage } from './object-storage.js';
import { noteReachedStatuses } from './reached-statuses.js';
import { type SpawnedEntry, spawnEntry } from './spawn-entry.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { waitUntil } from './wait-until.js';

/** The part of a worker that follows the log; nothing is published. */
@Module({})
class Follower {
  static of(environment: Environment): DynamicModule {
    return {
      module: Follower,
      imports: [
        EnvironmentModule.forRoot(environment),
        DatabaseModule.forRoot(loadConfig(DatabaseConfig, environment), businessMigrations),
        EventStoreModule,
        ContentOpsWorkerModule,
      ],
    };
  }
}

async function startApi(
  environment: Environment,
  settings: readonly Setting[] = [],
): Promise<RunningService> {
  const describeApi = await loadService(apiService);
  return startHttpService(environment, (given) => {
    const described = describeApi(given);
    return { ...described, module: withSettings(described.module, settings) };
  });
}

/** The business API on a fresh database, with an identity that tests can mint callers of. */
export class BusinessApi {
  private constructor(
    readonly test: TestDatabase,
    readonly identity: FakeIdentity,
    readonly service: RunningService,
    private readonly served: ServedIdentity,
    private readonly follower: RunningService,
    private readonly environment: Environment,
  ) {}

  /** @param on the database to work on; a fresh one unless given */
  static async start(
    more: Environment = {},
    on?: TestDatabase,
    settings?: readonly Setting[],
  ): Promise<BusinessApi> {
    const [test, identity] = [on ?? (await createTestDatabase()), new FakeIdentity()];
    const served = await serveFakeIdentity(identity);
    const environment = {
      ...{ ...test.environment, DATABASE_POOL_SIZE: '10', IDENTITY_URL: served.url },
      ...{ API_PORT: '0', API_MANAGEMENT_PORT: '0', LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '0' },
      ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
      MEDIA_ADDRESS_KEYS: `test:${randomBytes(32).toString('base64')}`,
      INTERNAL_SERVICE_TOKEN: randomBytes(32).toString('hex'),
      ...sharedStorage(),
      // Identity answers in this process: only a busy machine makes it slow.
      IDENTITY_TIMEOUT_MS: '10000',
      ...more,
    };
    const service = await startApi(environment, settings);
    noteReachedStatuses(service.url);
    noteReachedStatuses(service.managementUrl);
    const follower = await bootstrapHttpService(Follower.of(environment), {
      service: 'follower',
      environment,
    });
    return new BusinessApi(test, identity, service, served, follower, environment);
  }

  async stop(): Promise<void> {
    await this.follower.close();
    await this.service.close();
    await this.served.close();
    await this.test.drop();
  }

  /** Another process beside the first, as far as the database can tell. Close it. */
  replica(more: Environment = {}, settings?: readonly Setting[]): Promise<RunningService> {
    return startApi({ ...this.environment, ...more }, settings);
  }

  /** The same in a process of its own, which tests can kill. */
  spawn(more: Environment = {}): Promise<SpawnedEntry> {
    return spawnEntry('dist/src/main.js', { ...this.environment, ...more });
  }

  /** Waits until audit and rollups have seen everything that is committed. */
  followed(): Promise<void> {
    const reactions = this.follower.app.get(Reactions);
    return waitUntil(
      async () => (await reactions.status()).every(({ lagEvents }) => lagEvents === 0),
      45_000,
    );
  }

  /** Replays the log for one view or reaction, as the command does. */
  async rebuilt(name: string): Promise<Rebuilt | undefined> {
    return (await this.follower.app.get(Projections).rebuild(name))[0];
  }

  /** Of calls to the management address. */
  get internalToken(): string {
    return this.environment.INTERNAL_SERVICE_TOKEN ?? '';
  }

  /** Calls as this person, service principal or nobody. */
  as(token?: string, headers: Record<string, string> = {}): Call {
    return callOf(this.service.url, token ? { ...headers, authorization: `Bearer ${token}` } : headers);
  }

  withKey(key: string, headers: Record<string, string> = {}): Call {
    return callOf(this.service.url, { ...headers, 'x-api-key': key });
  }

  /** An owner of an organization, with these scopes there; without any named, with all of them. */
  person(
    organizationId: string = randomUUID(),
    scopes?: readonly string[],
  ): { id: string; token: string; organizationId: string } {
    const id = randomUUID();
    const organizations = [{ id: organizationId, role: 'owner', scopes }];
    const token = this.identity.user({ id, organizations });
    return { id, token, organizationId };
  }
}
