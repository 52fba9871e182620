import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Controller, Get, Module } from '@nestjs/common';
import { bootstrapHttpService } from '#libs/http';
import { call, SampleModule, startSample } from './http-sample.js';

/** What happened, in order. */
const diary: string[] = [];

@Controller('slow')
class SlowController {
  @Get()
  async slow() {
    diary.push('begun');
    await delay(300);
    diary.push('finished');
    return {};
  }
}

@Module({ controllers: [SlowController] })
class SlowModule {
  onModuleDestroy() {
    diary.push('destroyed');
  }
}

const environment = { LOG_LEVEL: 'silent' };

describe('the life of a service', () => {
  beforeEach(() => diary.splice(0));

  it('finishes what is in flight, then closes the rooms, and takes nothing new', async () => {
    const service = await bootstrapHttpService(SlowModule, { service: 'slow', port: 0, environment });
    const answer = call(`${service.url}/slow`);
    while (diary.length === 0) await delay(5);
    const closed = Promise.all([service.close(), service.close()]);
    await expect(call(`${service.url}/slow`)).rejects.toThrow();
    expect((await answer).status).toBe(200);
    await closed;
    expect(diary).toEqual(['begun', 'finished', 'destroyed']);
    await expect(call(`${service.managementUrl}/metrics`)).rejects.toThrow();
  });

  it('answers for the delay, ending each connection, so that load balancers can look elsewhere', async () => {
    const service = await startSample({ SHUTDOWN_DELAY_MS: '2000' });
    const closed = service.close();
    const { status, headers } = await call(`${service.url}/things`);
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    await closed;
  });

  it('cuts what does not end within the grace', async () => {
    const service = await startSample({ SHUTDOWN_GRACE_MS: '200' });
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET /things HTTP/1.1\r\nHost');
    await delay(50);
    const startedAt = performance.now();
    await service.close();
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    socket.destroy();
  });

  it('without public routes has a management address only', async () => {
    const worker = await bootstrapHttpService(SampleModule, { service: 'worker', environment });
    expect(worker.url).toBe(worker.managementUrl);
    expect((await call(`${worker.url}/internal/secret`)).status).toBe(200);
    expect((await call(`${worker.url}/things`)).status).toBe(404);
    await worker.close();
  });

  it('says when a port is taken, and leaves nothing open', async () => {
    const first = await startSample();
    const port = Number(new URL(first.url).port);
    const second = bootstrapHttpService(SlowModule, {
      service: 'second',
      port,
      managementPort: 0,
      environment,
    });
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(diary).toEqual(['destroyed']);
    await first.close();
  });

  it('lists everything that is wrong with the environment', async () => {
    const start = startSample({
      CORS_ORIGINS: 'https://a.example/path',
      LOG_LEVEL: 'loud',
      NODE_ENV: 'production',
    });
    await expect(start).rejects.toThrow(/CORS_ORIGINS[\s\S]*CURSOR_SECRET[\s\S]*LOG_LEVEL/);
  });

  it('closes services in reverse on a signal, and ends by that signal', async () => {
    const script = `
      import { closeOnSignals } from '${new URL('../../dist/libs/http/src/service/close-on-signals.js', import.meta.url).href}';
      const named = (name) => ({ close: async () => { await new Promise((r) => setTimeout(r, 50)); console.log(name); } });
      closeOnSignals([named('first'), named('second')], console.error);
      setInterval(() => {}, 1000);
      console.log('up');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (data: Buffer) => {
      if (output === '') child.kill('SIGTERM');
      output += data.toString();
    });
    const [, signal] = (await once(child, 'close')) as [number | null, string];
    expect([output, signal]).toEqual(['up\nsecond\nfirst\n', 'SIGTERM']);
  });
});
