import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import { freePort } from '../../src/embedded/ports.js';
import { Child } from './child.js';

const VERSION = '1.15.2';
/** Survives until the next installation of dependencies, so that it is fetched once. */
const FOLDER = join(process.cwd(), 'node_modules', '.cache', `bench-portkey-${VERSION}`);
const ENTRY = join(FOLDER, 'node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js');

/** Portkey's open gateway, which passes calls on and does not meter them. */
export class Portkey {
  private constructor(
    readonly process: Child,
    readonly pool: Pool,
    readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** Fetched by npm, no dependency of this package. @param provider address of an API in OpenAI's wire */
  static async start(provider: string, key: string, connections: number): Promise<Portkey> {
    if (!existsSync(ENTRY)) await fetchIt();
    const port = await freePort();
    const process = await Child.start('bench/servers/portkey.js', {
      args: [ENTRY, `--port=${port}`, '--headless'],
      environment: {},
      ready: 'Ready for connections',
    });
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${provider}/v1`,
    };
    return new Portkey(process, new Pool(`http://127.0.0.1:${port}`, { connections }), headers);
  }

  async stop(): Promise<void> {
    await this.pool.close();
    this.process.kill();
  }
}

/**
 * Scripts of packages are not run. Newer versions of @hono/node-server, which Portkey's range allows, make each of its streams fail with
 * status 500: their responses have immutable headers (measured with 1.19.19).
 */
async function fetchIt(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const wanted = {
    private: true,
    dependencies: { '@portkey-ai/gateway': VERSION },
    overrides: { '@hono/node-server': '1.13.8' },
  };
  await writeFile(join(FOLDER, 'package.json'), JSON.stringify(wanted));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', ['install', ...options], { cwd: FOLDER });
}
