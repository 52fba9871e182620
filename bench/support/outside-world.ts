import { freePort } from '../../src/embedded/ports.js';
import { NETWORKS } from '../../src/integrations/networks.js';
import { Child } from './child.js';

export interface OutsideAccount {
  readonly id: string;
  readonly username: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** What a network accepted. */
export interface Effect {
  readonly sequence: number;
  readonly at: string;
  /** The id the network gave. */
  readonly id: string;
  readonly text: string;
}

const CALLERS = 16;
const LEDGER_PAGE = 10_000;

/** The sandbox as a process of its own, answering at once and without rate limits. */
export class OutsideWorld {
  private constructor(
    private readonly process: Child,
    private readonly url: string,
  ) {}

  static async start(): Promise<OutsideWorld> {
    const port = await freePort();
    const process = await Child.start('src/sandbox/main.js', {
      environment: { SANDBOX_PORT: String(port) },
      ready: 'listens on',
    });
    const outside = new OutsideWorld(process, `http://127.0.0.1:${port}`);
    await outside.control('PUT', '/x/settings', { rateLimits: 'off' });
    return outside;
  }

  stop(): Promise<void> {
    return this.process.stop();
  }

  /** The networks' addresses, for a worker. */
  get environment(): Record<string, string> {
    const addresses = NETWORKS.flatMap(({ connector }) => Object.entries(connector?.sandbox.addresses ?? {}));
    return Object.fromEntries(addresses.map(([name, path]) => [name, this.url + path]));
  }

  async accounts(count: number): Promise<OutsideAccount[]> {
    const accounts: OutsideAccount[] = [];
    const names = Array.from({ length: count }, (_, index) => `bench_${index}`).values();
    const caller = async () => {
      for (const username of names)
        accounts.push(await this.control<OutsideAccount>('POST', '/x/accounts', { username }));
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    return accounts;
  }

  /** Posts the network has accepted after the one of that sequence number, oldest first. */
  async effectsAfter(sequence: number): Promise<Effect[]> {
    const effects: Effect[] = [];
    for (;;) {
      const after = effects.at(-1)?.sequence ?? sequence;
      const path = `/ledger?kind=post.created&after=${after}&limit=${LEDGER_PAGE}`;
      const { data } = await this.control<{ data: Effect[] }>('GET', path);
      effects.push(...data);
      if (data.length < LEDGER_PAGE) return effects;
    }
  }

  private async control<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${this.url}/_sandbox${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`The sandbox answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }
}
