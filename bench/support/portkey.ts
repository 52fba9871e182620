import { Pool } from 'undici';
import { freePort } from '../../local/ports.js';
import { Child } from './child.js';
import { fetched } from './fetched-package.js';

/**
 * Newer versions of @hono/node-server, which Portkey's range allows, make each of its streams fail with status 500: their responses
 * have immutable headers (measured with 1.19.19).
 */
const PORTKEY = {
  name: '@portkey-ai/gateway',
  version: '1.15.2',
  entry: 'build/start-server.js',
  overrides: { '@hono/node-server': '1.13.8' },
};

/** Portkey's open gateway, which passes calls on and does not meter them. */
export class Portkey {
  private constructor(
    readonly process: Child,
    readonly pool: Pool,
    readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** @param provider address of an API in OpenAI's wire */
  static async start(provider: string, key: string, connections: number): Promise<Portkey> {
    const entry = await fetched(PORTKEY);
    const port = await freePort();
    const process = await Child.start('bench/servers/on-loopback.js', {
      args: [entry, `--port=${port}`, '--headless'],
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
