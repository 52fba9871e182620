import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RunningService, startService } from '#libs/http';
import { workerService } from '../../src/api/service.js';
import { BusinessApi } from '../support/business-api.js';
import { eventually } from '../support/eventually.js';
import { sharedStorage } from '../support/object-storage.js';

describe('The health of the API and of the worker', () => {
  let status = 200;
  const gateway = createServer((request, response) => {
    response.statusCode = request.url === '/readyz' ? status : 404;
    response.end();
  });
  let api: BusinessApi;
  let worker: RunningService;

  beforeAll(async () => {
    gateway.listen(0, '127.0.0.1');
    await once(gateway, 'listening');
    const token = randomBytes(32).toString('hex');
    const environment = {
      GATEWAY_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
      ...{ GATEWAY_SERVICE_TOKEN: token, IDENTITY_SERVICE_TOKEN: token },
    };
    api = await BusinessApi.start(environment);
    worker = await startService(workerService, {
      ...{ ...api.test.environment, DATABASE_POOL_SIZE: '10', WORKER_MANAGEMENT_PORT: '0' },
      LOG_LEVEL: 'silent',
      ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
      MEDIA_ADDRESS_KEYS: `test:${randomBytes(32).toString('base64')}`,
      ...sharedStorage(),
      ...environment,
    });
  });
  afterAll(async () => {
    await worker.close();
    await api.stop();
    gateway.closeAllConnections();
    gateway.close();
  });

  it.each([
    [200, 'up'],
    [503, 'degraded'],
  ])('names the provider gateway that answers %i: %s, and stays 200', async (answered, expected) => {
    status = answered;
    for (const url of [api.service.url, worker.managementUrl])
      await eventually(async () => {
        const health = await fetch(`${url}/health`);
        const { details } = (await health.json()) as { details: { gateway?: object } };
        expect([health.status, details.gateway]).toEqual([
          200,
          expect.objectContaining({ status: expected }),
        ]);
      });
  });
});
