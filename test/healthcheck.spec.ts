import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES } from '../src/services.js';

const ENTRIES = SERVICES.map(
  ({ entry, port, managementPort }) => [`dist/${entry}.js`, (port ?? managementPort).variable] as const,
);

describe("the image's health check", () => {
  let folder: string;
  let server: Server;
  let status = 200;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'healthcheck-'));
    server = createServer((request, response) =>
      response.writeHead(request.url === '/healthz' ? status : 404).end(),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const check = async (command: readonly string[], environment: Record<string, string> = {}) => {
    const file = join(folder, 'cmdline');
    await writeFile(file, command.map((word) => `${word}\0`).join(''));
    const child = spawn(process.execPath, ['scripts/healthcheck.mjs', file], { env: environment });
    const [code] = (await once(child, 'close')) as [number | null];
    return code;
  };
  const port = () => String((server.address() as AddressInfo).port);

  it.each(ENTRIES)('requests %s at its address, and returns its status', async (entry, variable) => {
    const environment = { [variable]: port(), HOST: '0.0.0.0' };
    expect(await check(['node', entry], environment)).toBe(0);
    expect(await check(['/sbin/docker-init', '--', 'node', `/app/${entry}`], environment)).toBe(0);
    status = 503;
    const broken = await check(['node', entry], environment);
    status = 200;
    expect(broken).toBe(1);
  });

  it('fails for a stopped entry, and succeeds for a command that ends by itself', async () => {
    const nobody = createServer().listen(0, '127.0.0.1');
    await once(nobody, 'listening');
    const free = String((nobody.address() as AddressInfo).port);
    await new Promise((resolve) => nobody.close(resolve));
    expect(await check(['node', 'dist/src/worker.js'], { WORKER_MANAGEMENT_PORT: free })).toBe(1);
    expect(await check(['node', 'dist/src/operator/main.js', 'migrate'])).toBe(0);
  });

  it('loads the declarations of services and no package', async () => {
    const script = `import { registerHooks } from 'node:module';
      const resolve = (specifier, context, next) => {
        const found = next(specifier, context);
        if (found.url.includes('node_modules')) throw new Error(specifier);
        return found;
      };
      registerHooks({ resolve });
      await import('./dist/src/services.js');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  it('is in the image', async () => {
    const [dockerfile, ignored] = await Promise.all([
      readFile('Dockerfile', 'utf8'),
      readFile('.dockerignore', 'utf8'),
    ]);
    expect(dockerfile).toMatch(/^COPY scripts\/healthcheck\.mjs /m);
    expect(dockerfile).toMatch(/^ {2}CMD \["node", "[^"]*healthcheck\.mjs"\]$/m);
    expect(ignored).toContain('!scripts/healthcheck.mjs');
  });
});
