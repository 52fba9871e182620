import type { Environment } from '#libs/config';
import type { FixedClock } from '#libs/clock/testing';
import type { SandboxClient } from '../../sandbox/credentials.js';
import { startSandbox } from '../../sandbox/start.js';

/** The result of JSON.parse; tests assert its shape. */
type Json = ReturnType<typeof JSON.parse>;

export interface SandboxResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

export interface SandboxAccount {
  readonly id: string;
  readonly username: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** The sandbox of one test file, on a free port. */
export class SandboxForTests {
  private constructor(
    readonly url: string,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(
    environment: Environment = {},
    clock?: FixedClock,
    client?: SandboxClient,
  ): Promise<SandboxForTests> {
    const { url, stop } = await startSandbox(environment, { port: 0, clock, client });
    return new SandboxForTests(url, stop);
  }

  /** A sandbox that runs elsewhere. */
  static at(url: string): SandboxForTests {
    return new SandboxForTests(url, () => Promise.resolve());
  }

  async call(method: string, path: string, init: Omit<RequestInit, 'method'> = {}): Promise<SandboxResponse> {
    const response = await fetch(this.url + path, { method, redirect: 'manual', ...init });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: asJson(text) };
  }

  control(method: string, path: string, body?: unknown): Promise<SandboxResponse> {
    const init = body === undefined ? {} : jsonBody(body);
    return this.call(method, `/_sandbox${path}`, init);
  }

  /** Changes settings of a network; others stay. */
  async configure(network: string, settings: object): Promise<void> {
    const { status, body } = await this.control('PUT', `/${network}/settings`, settings);
    if (status !== 200) throw new Error(JSON.stringify(body));
  }

  /** The person allows access. @returns the address that the browser is sent to */
  async allow(authorizationUrl: string, username: string): Promise<URL> {
    const { pathname, searchParams } = new URL(authorizationUrl);
    const body = new URLSearchParams([...searchParams, ['decision', 'authorize'], ['username', username]]);
    const { headers } = await this.call('POST', pathname, { body });
    return new URL(headers.get('location') ?? '');
  }

  async account(username: string, more: object = {}, network = 'x'): Promise<SandboxAccount> {
    const { status, body } = await this.control('POST', `/${network}/accounts`, { username, ...more });
    if (status !== 201) throw new Error(`No account: ${JSON.stringify(body)}`);
    return body as SandboxAccount;
  }

  /** POST /2/tweets */
  post(account: Pick<SandboxAccount, 'accessToken'>, body: unknown, base = '/x'): Promise<SandboxResponse> {
    const init = jsonBody(body);
    return this.call('POST', `${base}/2/tweets`, {
      ...init,
      headers: { ...init.headers, ...bearer(account) },
    });
  }

  get(account: Pick<SandboxAccount, 'accessToken'>, path: string): Promise<SandboxResponse> {
    return this.call('GET', path, { headers: bearer(account) });
  }

  async fault(fault: object): Promise<number> {
    const { status, body } = await this.control('POST', '/faults', fault);
    if (status !== 201) throw new Error(`No fault: ${JSON.stringify(body)}`);
    return body.id as number;
  }

  /** Whether the network was told that a model made the post with this text. */
  async knowsOfAi(text: string): Promise<boolean> {
    const query = new URLSearchParams({ text, kind: 'post.created' });
    const [post, ...others] = await this.ledger(`?${query.toString()}`);
    if (!post || others.length > 0)
      throw new Error(`${text} is there ${others.length} more times than once.`);
    return post.madeWithAi === true;
  }

  async ledger(query = ''): Promise<Json[]> {
    return (await this.control('GET', `/ledger${query}`)).body.data as Json[];
  }
}

export const bearer = ({ accessToken }: Pick<SandboxAccount, 'accessToken'>): Record<string, string> => ({
  authorization: `Bearer ${accessToken}`,
});

const jsonBody = (body: unknown): { headers: Record<string, string>; body: string } => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
