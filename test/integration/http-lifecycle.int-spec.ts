import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Controller, Get, Module } from '@nestjs/common';
import { bootstrapHttpService } from '#libs/http';
import { childEnvironment } from '../support/child-environment.js';
import { isProcessRunning } from '../support/is-process-running.js';
import { waitUntil } from '../support/wait-until.js';
import { call, SampleModule, startSample } from './http-sample.js';

/** What happened, in order. */
const diary: string[] = [];

@Controller()
class SlowController {
  @Get(['slow', 'internal/slow'])
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

/** What runs a command as the first process of a namespace of its own, as containers do. */
const NAMESPACE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];

const canMakeNamespaces = () => spawnSync('unshare', [...NAMESPACE.slice(1), 'true']).status === 0;

const onlyChildOf = async (pid: number) =>
  Number(await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'));

describe('the life of a service', () => {
  beforeEach(() => diary.splice(0));

  it('refuses new requests, finishes those in flight, then closes the feature modules', async () => {
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

  it('finishes requests of the management address before it closes the feature modules', async () => {
    const service = await bootstrapHttpService(SlowModule, { service: 'slow', port: 0, environment });
    const answer = call(`${service.managementUrl}/internal/slow`);
    while (diary.length === 0) await delay(5);
    await service.close();
    expect((await answer).status).toBe(200);
    expect(diary).toEqual(['begun', 'finished', 'destroyed']);
  });

  it('responds during the delay and closes each connection, so that load balancers use another replica', async () => {
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
    const cut = new Promise((resolve) => socket.resume().once('close', resolve));
    await service.close();
    await cut;
  });

  it('does not wait for load balancers where none is in front', async () => {
    const worker = await bootstrapHttpService(SlowModule, { service: 'worker', environment });
    const closed = worker.closeAfterBalancerDelay();
    const noted = () => diary.push('answered or refused');
    await call(`${worker.managementUrl}/readyz`).then(noted, noted);
    expect(diary).toEqual(['destroyed', 'answered or refused']);
    await closed;
  });

  it('without public routes has a management address only', async () => {
    const worker = await bootstrapHttpService(SampleModule, { service: 'worker', environment });
    expect(worker.url).toBe(worker.managementUrl);
    expect((await call(`${worker.url}/internal/secret`)).status).toBe(200);
    expect((await call(`${worker.url}/things`)).status).toBe(404);
    await worker.close();
  });

  it('reports a port in use, and leaves nothing open', async () => {
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
    await expect(start).rejects.toThrow(
      /CORS_ORIGINS[\s\S]*CURSOR_SECRET[\s\S]*LOG_LEVEL[\s\S]*TRUST_PROXY_HOPS: must be set/,
    );
  });

  describe('as a process of its own that gets SIGTERM,', () => {
    let child: ChildProcess | undefined;
    afterEach(() => child?.kill('SIGKILL'));

    /** An entry with the default settings and a public port. @returns its addresses */
    const start = async (): Promise<string[]> => {
      const library = (name: string) => new URL(`../../dist/libs/${name}/src/index.js`, import.meta.url).href;
      const script = `
        import { runEntry } from '${library('http')}';
        import { HealthModule } from '${library('health')}';
        const database = { url: process.env.TEST_POSTGRES_URL, poolSize: 1 };
        await runEntry('It', () => ({ module: HealthModule.forRoot(), service: 'entry', port: 0, database }));`;
      child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          ...{ ...childEnvironment(), LOG_LEVEL: 'silent' },
          TEST_POSTGRES_URL: process.env.TEST_POSTGRES_URL,
        },
      });
      let output = '';
      child.stdout?.on('data', (data: Buffer) => (output += data.toString()));
      const addresses = () => output.match(/http:[\w:/.]+\d/g) ?? [];
      await waitUntil(() => addresses().length === 2);
      return addresses();
    };
    const isDraining = async (managementUrl: string) =>
      (await call(`${managementUrl}/readyz`)).body.status === 'shutting_down';

    it('responds after readiness is off, so that load balancers notice', async () => {
      const [url = '', managementUrl = ''] = await start();
      child?.kill('SIGTERM');
      await waitUntil(() => isDraining(managementUrl));
      const { status, headers } = await call(`${url}/elsewhere`);
      expect([status, headers.get('connection')]).toEqual([404, 'close']);
    });
  });

  describe.each([
    ['a process', false],
    ['the first process of a container', true],
  ])('%s, told to end', (_kind, isFirst) => {
    let child: ChildProcess | undefined;
    afterEach(() => child?.kill('SIGKILL'));

    /** What `closeOnSignals` is given to start, as the text of a function. */
    const spawned = (start: string): ChildProcess => {
      const module = new URL('../../dist/libs/http/src/service/close-on-signals.js', import.meta.url).href;
      const script = `
        import { setTimeout as delay } from 'node:timers/promises';
        import { closeOnSignals } from '${module}';
        setInterval(() => {}, 1000);
        await closeOnSignals(${start}, console.error);
        console.log('up');`;
      const node = [process.execPath, '--input-type=module', '-e', script];
      const [command = '', ...args] = isFirst ? [...NAMESPACE, ...node] : node;
      child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      return child;
    };
    const service = (close: string) => `{ close: async () => { console.log('closing'); ${close} } }`;

    /** Sends SIGTERM, and once more from time to time where that is wanted. @returns what it said, and how it ended */
    const tell = async (child: ChildProcess, when: string, { impatiently = false } = {}) => {
      let output = '';
      const ended = once(child, 'close');
      child.stdout?.on('data', (data: Buffer) => (output += data.toString()));
      await waitUntil(() => output.includes(when));
      const pid = isFirst ? await onlyChildOf(child.pid as number) : (child.pid as number);
      process.kill(pid, 'SIGTERM');
      const again = setInterval(() => isProcessRunning(pid) && process.kill(pid, 'SIGTERM'), 200);
      if (!impatiently) clearInterval(again);
      const [status] = (await ended) as [number | null];
      clearInterval(again);
      return { output, status };
    };

    const test = isFirst && !canMakeNamespaces() ? it.skip : it;

    test('closes what runs, and ends', async () => {
      const child = spawned(`async () => (${service(`await delay(50); console.log('closed');`)})`);
      expect(await tell(child, 'up')).toEqual({ output: 'up\nclosing\nclosed\n', status: 143 });
    });

    test('while it starts, closes once it has started', async () => {
      const start = `async () => { console.log('starting'); await delay(500); return ${service('')}; }`;
      expect(await tell(spawned(start), 'starting')).toEqual({
        output: 'starting\nup\nclosing\n',
        status: 143,
      });
    });

    test('ends at once at a second signal', async () => {
      const child = spawned(`async () => (${service('await new Promise(() => {});')})`);
      expect(await tell(child, 'up', { impatiently: true })).toEqual({
        output: 'up\nclosing\n',
        status: 143,
      });
    });
  });
});
