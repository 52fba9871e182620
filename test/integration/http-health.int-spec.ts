import { setTimeout as delay } from 'node:timers/promises';
import { type DynamicModule, Injectable, Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/database';
import { DomainError } from '#libs/errors';
import { DatabaseCheck, type HealthCheck, HealthChecks, HealthModule } from '#libs/health';
import { httpMigrations, type RunningService, ServiceInfo } from '#libs/http';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';
import { call, SampleModule, startSample } from './http-sample.js';

class LagIsHigh extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'lag_is_high';
}

/** A check of a feature, controlled by the tests. */
@Injectable()
class LagCheck implements HealthCheck {
  readonly name = 'reactions';
  readonly hard = false;
  inReadiness = false;
  answer: () => Promise<Record<string, unknown>> = () => Promise.resolve({ lagEvents: 3 });
  asked = 0;

  constructor(checks: HealthChecks) {
    checks.add(this);
  }

  check(): Promise<Record<string, unknown>> {
    this.asked += 1;
    return this.answer();
  }
}

@Module({ imports: [SampleModule], providers: [LagCheck], exports: [LagCheck] })
class RoomModule {}

describe('health', () => {
  let test: TestDatabase;
  let service: RunningService;
  let lag: LagCheck;

  beforeEach(async () => {
    test = await createTestDatabase();
    const module: DynamicModule = {
      module: RoomModule,
      imports: [
        DatabaseModule.forRoot({ ...test.settings, poolSize: 2 }, httpMigrations),
        HealthModule.forRoot({ checks: [DatabaseCheck] }),
      ],
    };
    service = await startSample({}, module);
    lag = service.app.get(LagCheck);
  });
  afterEach(async () => {
    await service.close();
    await test.drop();
  });

  const ask = (path: string, base = service.url) => call(base + path);

  it('is ok with name, time and latency when all checks pass', async () => {
    const { status, body, headers } = await ask('/health');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({
      status: 'ok',
      service: 'sample',
      version: '1.0.0',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      uptimeSeconds: expect.any(Number),
      info: {
        database: { status: 'up', latencyMs: expect.any(Number) },
        reactions: { status: 'up', lagEvents: 3, latencyMs: expect.any(Number) },
      },
      error: {},
      details: expect.objectContaining({ database: expect.anything(), reactions: expect.anything() }),
    });
  });

  it('is degraded, not down, without an optional dependency, which readiness does not check', async () => {
    lag.answer = () => Promise.reject(new LagIsHigh('The audit is 70 s behind.'));
    expect(await ask('/readyz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(lag.asked).toBe(0);
    expect(await ask('/health')).toMatchObject({
      status: 200,
      body: {
        status: 'degraded',
        details: { reactions: { status: 'degraded', message: 'The audit is 70 s behind.' } },
      },
    });
  });

  it('reports the failed check in readiness, and stays ready', async () => {
    lag.inReadiness = true;
    lag.answer = () => Promise.reject(new LagIsHigh('The audit waits.'));
    expect(await ask('/readyz')).toMatchObject({
      status: 200,
      body: {
        status: 'degraded',
        details: { reactions: { status: 'degraded', message: 'The audit waits.' } },
      },
    });
  });

  it('is down without the database, does not disclose its address, and stays live', async () => {
    await test.drop();
    const health = await ask('/health');
    expect(health).toMatchObject({
      status: 503,
      body: {
        status: 'error',
        error: { database: { status: 'down' } },
        info: { reactions: { status: 'up' } },
      },
    });
    expect(health.text).not.toMatch(/test_|127\.0\.0\.1|postgres/);
    expect(await ask('/readyz')).toMatchObject({ status: 503, body: { status: 'error' } });
    expect(await ask('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('waits a second at most, and does not disclose the message of a driver', async () => {
    lag.answer = () => delay(60_000, {}, { ref: false });
    const startedAt = performance.now();
    const { body } = await ask('/health');
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    expect(body.details.reactions).toMatchObject({
      status: 'degraded',
      message: 'No answer within 1000 ms.',
    });
  });

  it('hides foreign errors', async () => {
    lag.answer = () => Promise.reject(new Error('password=hunter2'));
    expect((await ask('/health')).body.details.reactions.message).toBe('The check failed.');
  });

  it('checks once per second, independent of the number of callers', async () => {
    await Promise.all(Array.from({ length: 10 }, () => ask('/health')));
    expect(lag.asked).toBe(1);
    await delay(1_050);
    await ask('/health');
    expect(lag.asked).toBe(2);
  });

  it('sends no second request while one is pending', async () => {
    let answer = (_: Record<string, unknown>): void => undefined;
    lag.answer = () => new Promise((resolve) => (answer = resolve));
    const isAnswered = async () => (await ask('/health')).body.details.reactions.lagEvents === 4;
    expect(await isAnswered()).toBe(false);
    await delay(1_050);
    expect(await isAnswered()).toBe(false);
    expect(lag.asked).toBe(1);
    answer({});
    lag.answer = () => Promise.resolve({ lagEvents: 4 });
    await waitUntil(isAnswered);
  });

  it('is not ready while starting or draining, but alive', async () => {
    const info = service.app.get(ServiceInfo);
    info.phase = 'starting';
    expect(await ask('/readyz')).toMatchObject({ status: 503, body: { status: 'error' } });
    info.phase = 'draining';
    expect(await ask('/readyz')).toMatchObject({ status: 503, body: { status: 'shutting_down' } });
    expect(await ask('/health')).toMatchObject({ status: 503, body: { status: 'shutting_down' } });
    expect((await ask('/healthz')).status).toBe(200);
  });

  it('is served on the management address as well, where it is never limited', async () => {
    for (const path of ['/health', '/healthz', '/readyz']) {
      const { status, headers } = await ask(path, service.managementUrl);
      expect([path, status, headers.has('ratelimit')]).toEqual([path, 200, false]);
    }
  });

  it('refuses two checks of one name', () => {
    expect(() => service.app.get(HealthChecks).add(lag)).toThrow('two health checks named reactions');
  });
});
