import { randomUUID } from 'node:crypto';
import { FakeIdentity, type ServedIdentity, serveFakeIdentity } from '#libs/platform-client/testing';
import type { DynamicModule, Type } from '@nestjs/common';
import { type Setting, withSettings } from '#libs/config/testing';
import { type DescribedService, loadService, type RunningService, startHttpService } from '#libs/http';
import { gatewayService } from '../../src/platform/gateway/service.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** The service tokens of the tests. */
export const GATEWAY_TOKEN = 'a-token-of-an-application-of-the-tests';
export const STAGED_TOKEN = 'the-next-token-of-that-application-1';
export const AGENT_TOKEN = 'a-token-of-another-application-of-tests';
const IDENTITY_TOKEN = 'a-token-of-a-service-of-the-tests-1';

export interface BootedGateway {
  readonly service: RunningService;
  readonly test: TestDatabase;
  readonly identity: FakeIdentity;
  /** Variables of a client. */
  readonly client: Readonly<Record<string, string>>;
  /** Headers of a call of the business API, by default for a new organization. The organization exists at identity. */
  headers(of?: {
    organizationId?: string;
    token?: string;
    application?: string;
  }): Promise<Record<string, string>>;
  /** Another replica on the same database. @param changes of its environment */
  replica(changes?: Readonly<Record<string, string>>, settings?: readonly Setting[]): Promise<RunningService>;
  /** Variables of another process on the same database. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * The provider gateway on a free port.
 * @param youtube address of the YouTube API
 * @param controllers additional routes of a test
 */
export async function bootGateway(
  youtube: string,
  overrides: Readonly<Record<string, string>> = {},
  controllers: readonly Type[] = [],
  settings: readonly Setting[] = [],
): Promise<BootedGateway> {
  const test = await createTestDatabase();
  const identity = new FakeIdentity();
  const served: ServedIdentity = await serveFakeIdentity(identity);
  const environment = {
    ...test.environment,
    GATEWAY_PORT: '0',
    GATEWAY_MANAGEMENT_PORT: '0',
    GATEWAY_SERVICE_TOKENS: `social-publishing:${GATEWAY_TOKEN},social-publishing:${STAGED_TOKEN},agent:${AGENT_TOKEN}`,
    GATEWAY_ENCRYPTION_KEYS: `k:${Buffer.alloc(32, 9).toString('base64')}`,
    IDENTITY_URL: served.url,
    IDENTITY_SERVICE_TOKEN: IDENTITY_TOKEN,
    YOUTUBE_API_URL: youtube,
    NETWORK_TIMEOUT_MS: '3000',
    LOG_LEVEL: 'silent',
    ...overrides,
  };
  const describe = await loadService(gatewayService);
  const start = (changes: Readonly<Record<string, string>> = {}, more: readonly Setting[] = []) =>
    startHttpService({ ...environment, ...changes }, (given) => {
      const described = withRoutes(describe(given), controllers);
      return { ...described, module: withSettings(described.module, [...settings, ...more]) };
    });
  const service = await start();
  const replicas: RunningService[] = [];
  return {
    service,
    test,
    identity,
    environment,
    client: {
      GATEWAY_URL: service.url,
      GATEWAY_SERVICE_TOKEN: GATEWAY_TOKEN,
      IDENTITY_URL: served.url,
      IDENTITY_SERVICE_TOKEN: IDENTITY_TOKEN,
    },
    async headers({
      organizationId = randomUUID(),
      token = GATEWAY_TOKEN,
      application = token === AGENT_TOKEN ? 'agent' : 'social-publishing',
    } = {}) {
      const registration = await identity.registration(application);
      identity.organization(organizationId);
      return {
        'x-service-token': token,
        'x-application-id': registration?.id ?? '',
        'x-organization-id': organizationId,
        'x-provider-token': 'channel-token',
      };
    },
    async replica(changes, more) {
      const other = await start(changes, more);
      replicas.push(other);
      return other;
    },
    async close() {
      for (const one of [...replicas, service]) await one.close();
      await served.close();
      await test.drop();
    },
  };
}

/** The routes are part of the gateway's own module, so that its guards and providers apply to them. */
function withRoutes(described: DescribedService, controllers: readonly Type[]): DescribedService {
  const module = described.module as DynamicModule;
  return {
    ...described,
    module: { ...module, controllers: [...(module.controllers ?? []), ...controllers] },
  };
}
