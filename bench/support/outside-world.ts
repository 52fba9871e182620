import { concurrently } from '#libs/concurrency';
import { freePort } from '../../local/ports.js';
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

/** Answers of one route of a network with one status. */
export interface AnsweredCalls {
  readonly network: string;
  readonly route: string;
  readonly status: number;
  readonly count: number;
}

const CALLERS = 16;
const LEDGER_PAGE = 10_000;

/** The sandbox as a process of its own, answering at once; X without rate limits. */
export class OutsideWorld {
  private constructor(
    private readonly process: Child,
    readonly url: string,
  ) {}

  /** @param environment more variables of the sandbox */
  static async start(environment: Readonly<Record<string, string>> = {}): Promise<OutsideWorld> {
    const port = await freePort();
    const process = await Child.start('sandbox/main.js', {
      environment: {
        SANDBOX_PORT: String(port),
        SANDBOX_PAYMENTS_PORT: '0',
        SANDBOX_MAIL_PORT: '0',
        ...environment,
      },
      ready: 'listens on',
    });
    const outside = new OutsideWorld(process, `http://127.0.0.1:${port}`);
    await outside.configure('x', { rateLimits: 'off' });
    return outside;
  }

  stop(): Promise<void> {
    return this.process.stop();
  }

  /** The networks' addresses, for a worker. */
  get environment(): Record<string, string> {
    return Object.assign({}, ...NETWORKS.map(({ platform }) => this.addressesOf(platform))) as Record<
      string,
      string
    >;
  }

  /** The addresses of one network. */
  addressesOf(platform: string): Record<string, string> {
    const sandbox = NETWORKS.find((each) => each.platform === platform)?.connector?.sandbox;
    const addresses = { ...sandbox?.addresses, ...sandbox?.gatewayAddresses };
    return Object.fromEntries(Object.entries(addresses).map(([name, path]) => [name, this.url + path]));
  }

  /** @param settings of the network in the sandbox; others stay */
  async configure(network: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
    await this.control('PUT', `/${network}/settings`, settings);
  }

  async accounts(count: number, network = 'x'): Promise<OutsideAccount[]> {
    const accounts: OutsideAccount[] = [];
    const names = Array.from({ length: count }, (_, index) => `bench${index}`);
    await concurrently(names, CALLERS, async (name) => {
      accounts.push(await this.account(network, name));
    });
    return accounts;
  }

  /** What can be posted to on this network: the account itself, or a page or an organization of a person. */
  private async account(platform: string, username: string): Promise<OutsideAccount> {
    const create = (network: string, fields: object) =>
      this.control<OutsideAccount>('POST', `/${network}/accounts`, fields);
    if (platform === 'facebook') {
      await create('facebook', { username, pages: [`${username}.page`] });
      return create('facebook', { username: `${username}.page` });
    }
    if (platform !== 'linkedin-company') return create(platform, { username });
    const member = await create('linkedin', { username });
    const roles = [`${username} ADMINISTRATOR`];
    const company = await create('linkedin', { username: `${username}-inc`, kind: 'organization', roles });
    return { ...member, id: company.id, username: company.username };
  }

  async switchOn(fault: Readonly<Record<string, unknown>>): Promise<void> {
    await this.control('POST', '/faults', fault);
  }

  async switchAllOff(): Promise<void> {
    await this.control('DELETE', '/faults');
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

  async answeredCalls(): Promise<readonly AnsweredCalls[]> {
    return (await this.control<{ data: AnsweredCalls[] }>('GET', '/calls')).data;
  }

  /** @param path below `/_sandbox` */
  read<T>(path: string): Promise<T> {
    return this.control('GET', path);
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
