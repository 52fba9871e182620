import { ConfigIsInvalid } from '#libs/config';
import { describeApi } from '../src/start-api.js';
import { describeGateway } from '../src/platform/gateway/start.js';
import { describeIdentity } from '../src/platform/identity/start.js';
import { describeWorker } from '../src/start-worker.js';

const WRONG = {
  ...{
    API_PORT: 'abc',
    WORKER_MANAGEMENT_PORT: '-1',
    IDENTITY_PORT: 'x',
    GATEWAY_PORT: 'x',
    LOG_LEVEL: 'loud',
  },
  ...{ IDENTITY_TIMEOUT_MS: 'x', RATE_LIMIT_PER_MINUTE: '-1', DELIVERY_CALLS: '0', PUBLISH_POLL_MS: 'y' },
  ...{ ACCESS_TOKEN_MINUTES: '0', S3_TIMEOUT_MS: 'z' },
};
const EVERYWHERE = ['LOG_LEVEL', 'RATE_LIMIT_PER_MINUTE', 'DATABASE_URL'];
const FEATURES = [
  'API_PORT',
  'WORKER_MANAGEMENT_PORT',
  'IDENTITY_TIMEOUT_MS',
  'DELIVERY_CALLS',
  'ENCRYPTION_KEYS',
  'MEDIA_ADDRESS_KEYS',
];
const STORAGE = ['S3_BUCKET', 'S3_TIMEOUT_MS'];

describe('an entry', () => {
  it.each([
    ['api', describeApi, [...EVERYWHERE, ...FEATURES, ...STORAGE]],
    ['worker', describeWorker, [...EVERYWHERE, ...FEATURES, ...STORAGE, 'PUBLISH_POLL_MS']],
    [
      'identity',
      describeIdentity,
      [...EVERYWHERE, 'IDENTITY_PORT', 'IDENTITY_PEPPERS', 'IDENTITY_SERVICE_TOKENS', 'ACCESS_TOKEN_MINUTES'],
    ],
    [
      'gateway',
      describeGateway,
      [
        ...EVERYWHERE,
        'GATEWAY_PORT',
        'GATEWAY_SERVICE_TOKENS',
        'GATEWAY_ENCRYPTION_KEYS',
        'IDENTITY_TIMEOUT_MS',
      ],
    ],
  ])('of the %s reports every invalid variable once', (_name, describeIt, names) => {
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
