import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { freePort } from '../../local/ports.js';
import type { Bench } from './bench.js';
import { type Author, Business } from './business.js';
import { Child } from './child.js';
import { OutsideWorld } from './outside-world.js';

const MODEL = 'gpt-4o-mini';
export const SANDBOX_KEY = 'sk-sandbox-openai';
/** The answer has a few dozen tokens. */
export const PROMPT = 'Announce the opening of a bakery in one sentence.';
const APPLICATION = 'social-publishing';
/** Longer than any gateway needs to settle what it has answered. */
const SETTLED_MS = 30_000;

/** A call of OpenAI, for the provider itself and for proxies. */
export const openaiBody = (isStreamed: boolean): string =>
  JSON.stringify({
    model: MODEL,
    messages: [{ role: 'user', content: PROMPT }],
    max_completion_tokens: 500,
    ...(isStreamed && { stream: true, stream_options: { include_usage: true } }),
  });

/** The same call in the contract of the gateway. */
export const gatewayBody = (isStreamed: boolean): string =>
  JSON.stringify({
    model: `openai/${MODEL}`,
    messages: [{ role: 'user', content: PROMPT }],
    maxTokens: 500,
    ...(isStreamed && { stream: true }),
  });

interface Billed {
  /** Of the lines that the bill still has. */
  readonly calls: number;
  /** Lines that a long run has pushed out of the bill. */
  readonly forgotten: number;
}

/** The provider gateway as it is deployed, with identity, a database and the providers of the sandbox: four processes and PostgreSQL. */
export class MeteredGateway {
  private constructor(
    private readonly business: Business,
    readonly outside: OutsideWorld,
    readonly pool: Pool,
    readonly process: Child,
    /** Of a calling service. */
    readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** @param connections of all callers together */
  static async open(bench: Bench, connections: number): Promise<MeteredGateway> {
    const outside = await OutsideWorld.start();
    const business = await Business.open(bench, 1);
    const [author] = business.authors as [Author];
    const token = randomBytes(32).toString('hex');
    const port = await freePort();
    const process = await Child.start('src/platform/gateway/main.js', {
      environment: environmentOf(business, outside, port, token),
      ready: 'listens on',
    });
    const headers = {
      'content-type': 'application/json',
      'x-service-token': token,
      'x-application-id': await registrationOf(business),
      'x-organization-id': author.organizationId,
    };
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections });
    await addCredential(pool, author);
    return new MeteredGateway(business, outside, pool, process, headers);
  }

  async close(): Promise<void> {
    await this.pool.close();
    await this.process.stop();
    await this.business.close();
    await this.outside.stop();
  }

  /** @param settings of the simulated OpenAI */
  async provider(settings: Readonly<Record<string, unknown>>): Promise<void> {
    await this.outside.configure('ai/openai', { requestsPerMinute: 10_000_000, ...settings });
  }

  /**
   * Compares what was metered with what the provider bills for calls through this gateway. @returns in words
   * @throws Error when they differ
   */
  async comparedWithBill(others: number): Promise<string> {
    const billed = await this.outside.read<Billed>('/ai/bill?limit=0');
    const metered = await this.settled();
    const calls = billed.calls + billed.forgotten - others;
    if (metered.calls !== calls) throw new Error(`${metered.calls} calls were metered, ${calls} were made.`);
    return `${calls} calls metered and made`;
  }

  private async settled(): Promise<{ calls: number }> {
    const deadline = performance.now() + SETTLED_MS;
    for (;;) {
      const [row] = await this.business.db.database.query<{ calls: string; open: string }>(
        `SELECT count(*) AS calls, count(*) FILTER (WHERE state = 'reserved') AS open FROM gateway.usage`,
      );
      if (row && Number(row.open) === 0) return { calls: Number(row.calls) };
      if (performance.now() > deadline) throw new Error(`${row?.open} calls were not settled.`);
      await sleep(100);
    }
  }
}

function environmentOf(
  business: Business,
  outside: OutsideWorld,
  port: number,
  token: string,
): Record<string, string> {
  return {
    ...business.identity.environment,
    DATABASE_URL: business.db.url,
    GATEWAY_PORT: String(port),
    GATEWAY_SERVICE_TOKENS: `${APPLICATION}:${token}`,
    GATEWAY_ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    OPENAI_URL: `${outside.url}/openai`,
    ...{ GATEWAY_MANAGEMENT_PORT: '0', RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'error' },
  };
}

async function registrationOf({ identity }: Business): Promise<string> {
  const { IDENTITY_URL, IDENTITY_SERVICE_TOKEN } = identity.environment;
  const response = await fetch(`${IDENTITY_URL}/api/registrations/${APPLICATION}`, {
    headers: { 'x-service-token': IDENTITY_SERVICE_TOKEN },
  });
  if (!response.ok) throw new Error(`Identity answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}

/** The organization's own key of OpenAI. */
async function addCredential(pool: Pool, { token, organizationId }: Author): Promise<void> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/api/credentials',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-organization-id': organizationId,
    },
    body: JSON.stringify({ provider: 'openai', label: 'Bench', secret: SANDBOX_KEY }),
  });
  const text = await body.text();
  if (statusCode !== 201) throw new Error(`The credential was not added: ${statusCode} ${text}`);
}
