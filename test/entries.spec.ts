import { ConfigIsInvalid } from '#libs/config';
import { loadService } from '#libs/http';
import { apiService, workerService } from '../src/api/service.js';
import { gatewayService } from '../src/platform/gateway/service.js';
import { identityService } from '../src/platform/identity/service.js';

const WRONG = {
  ...{
    API_PORT: 'abc',
    WORKER_MANAGEMENT_PORT: '-1',
    IDENTITY_PORT: 'x',
    GATEWAY_PORT: 'x',
    LOG_LEVEL: 'loud',
  },
  ...{
    IDENTITY_TIMEOUT_MS: 'x',
    RATE_LIMIT_PER_MINUTE: '-1',
    DELIVERY_WAIT_SCALE: '-1',
    PUBLISH_CONCURRENCY: 'y',
  },
  ...{ ACCESS_TOKEN_MINUTES: '0', S3_TIMEOUT_MS: 'z' },
};
const EVERYWHERE = ['LOG_LEVEL', 'RATE_LIMIT_PER_MINUTE', 'DATABASE_URL'];
const FEATURES = ['IDENTITY_TIMEOUT_MS', 'DELIVERY_WAIT_SCALE', 'ENCRYPTION_KEYS', 'MEDIA_ADDRESS_KEYS'];
const STORAGE = ['S3_BUCKET', 'S3_TIMEOUT_MS'];

describe('an entry of a service', () => {
  it.each([
    [apiService, [...EVERYWHERE, ...FEATURES, ...STORAGE, 'API_PORT']],
    [
      workerService,
      [...EVERYWHERE, ...FEATURES, ...STORAGE, 'PUBLISH_CONCURRENCY', 'WORKER_MANAGEMENT_PORT'],
    ],
    [
      identityService,
      [...EVERYWHERE, 'IDENTITY_PORT', 'IDENTITY_PEPPERS', 'IDENTITY_SERVICE_TOKENS', 'ACCESS_TOKEN_MINUTES'],
    ],
    [
      gatewayService,
      [
        ...EVERYWHERE,
        'GATEWAY_PORT',
        'GATEWAY_SERVICE_TOKENS',
        'GATEWAY_ENCRYPTION_KEYS',
        'IDENTITY_TIMEOUT_MS',
      ],
    ],
  ])('reports every invalid variable once', async (service, names) => {
    const describeIt = await loadService(service);
    const problems: string[] = [];
    try {
      describeIt(WRONG);
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigIsInvalid);
      problems.push(...(error as ConfigIsInvalid).problems);
    }
    expect(problems.map((problem) => problem.split(':')[0]).sort()).toEqual([...names].sort());
  });
});
