import request from 'supertest';
import { type BootedGateway, bootGateway } from '../support/boot-gateway.js';

/** Providers send events in bursts from few addresses. */
describe('events of providers', () => {
  let gateway: BootedGateway;

  beforeAll(async () => {
    gateway = await bootGateway('http://127.0.0.1:1', { RATE_LIMIT_PER_MINUTE: '2' });
  });
  afterAll(() => gateway.close());

  it.each([
    ['/api/email/webhooks/resend', 401],
    ['/api/payments/webhooks/stripe', 400],
  ])('at %s have no limit per address', async (path, status) => {
    const send = () => request(gateway.service.url).post(path).send({}).expect(status);
    for (const _ of Array.from({ length: 6 })) await send();
  });
});
