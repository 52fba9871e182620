import { Pool } from 'undici';
import { freePort } from '../../local/ports.js';
import { Child } from './child.js';

/** A `node:http` proxy in front of one provider, as a process of its own. */
export class BareProxy {
  private constructor(
    readonly process: Child,
    readonly pool: Pool,
  ) {}

  /** @param database of its own, where it stores one row before each call */
  static async start(provider: string, connections: number, database?: string): Promise<BareProxy> {
    const port = await freePort();
    const process = await Child.start('bench/servers/bare-proxy.js', {
      environment: {
        PROXY_TARGET: provider,
        PROXY_PORT: String(port),
        ...(database !== undefined && { PROXY_DATABASE_URL: database }),
      },
      ready: 'listens on',
    });
    return new BareProxy(process, new Pool(`http://127.0.0.1:${port}`, { connections }));
  }

  async stop(): Promise<void> {
    await this.pool.close();
    await this.process.stop();
  }
}
