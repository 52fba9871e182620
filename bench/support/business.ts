import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { Pool } from 'undici';
import { IdentityClient } from '#libs/platform-client';
import { Caller } from '#libs/auth';
import { type RunningService, startService } from '#libs/http';
import { apiService } from '../../src/api/service.js';
import type { Bench, BenchDatabase } from './bench.js';
import { freePort } from '../../local/ports.js';
import { Child } from './child.js';
import { createBrands, createPosts } from './content.js';

/** Somebody who writes for a brand of their own. */
export interface Author {
  readonly id: string;
  /** A bearer of identity. */
  readonly token: string;
  readonly organizationId: string;
  readonly brandId: string;
}

const HOUR_MS = 3_600_000;
const MONTH_MS = 30 * 24 * HOUR_MS;

const SERVICE_TOKEN = randomBytes(32).toString('hex');

/** Within the coming month, in milliseconds, so hardly ever the same twice. */
export function randomTime(): string {
  return new Date(Date.now() + HOUR_MS + Math.random() * MONTH_MS).toISOString();
}

/** Identity as a process of its own, people registered there, and the business API as it is started for them, on one database. */
export class Business {
  readonly authors: Author[] = [];
  private readonly closing: (() => Promise<unknown>)[] = [];

  private constructor(
    readonly db: BenchDatabase,
    private readonly identityUrl: string,
  ) {}

  static async open(bench: Bench, authors: number): Promise<Business> {
    const db = await bench.database(4);
    const port = await freePort();
    const identity = await Child.start('src/platform/identity/main.js', {
      environment: {
        DATABASE_URL: db.url,
        IDENTITY_PORT: String(port),
        IDENTITY_SERVICE_TOKENS: `api:${SERVICE_TOKEN}`,
        IDENTITY_PEPPERS: `1:${randomBytes(32).toString('base64')}`,
        ...{ IDENTITY_MANAGEMENT_PORT: '0', RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'error' },
      },
      ready: 'listens on',
    });
    const business = new Business(db, `http://127.0.0.1:${port}`);
    business.closing.push(
      () => db.close(),
      () => identity.stop(),
    );
    for (let n = 0; n < authors; n += 1) business.authors.push(await business.register(n));
    await createBrands(
      db.database,
      business.authors.map(({ brandId, organizationId }) => ({ id: brandId, organizationId })),
    );
    return business;
  }

  /** Variables of a client of identity. */
  get identity(): {
    readonly environment: Readonly<Record<'IDENTITY_URL' | 'IDENTITY_SERVICE_TOKEN', string>>;
  } {
    return { environment: { IDENTITY_URL: this.identityUrl, IDENTITY_SERVICE_TOKEN: SERVICE_TOKEN } };
  }

  async close(): Promise<void> {
    for (const close of this.closing.toReversed()) await close();
  }

  /** The same number of posts for every author. @returns the ids, author by author */
  async posts(each: number, scheduledAt: () => string | null): Promise<string[][]> {
    const posts = this.authors.flatMap(({ brandId, id }) =>
      Array.from({ length: each }, () => ({ brandId, authorId: id, scheduledAt: scheduledAt() })),
    );
    const ids = await createPosts(this.db.database, posts);
    return this.authors.map((_, index) => ids.slice(index * each, (index + 1) * each));
  }

  /** The business API inside this process, for what is measured without HTTP. */
  async apiHere(
    more: Readonly<Record<string, string>> = {},
  ): Promise<{ api: RunningService; callers: Caller[] }> {
    const api = await startService(apiService, { ...this.environment(0), ...more });
    this.closing.push(() => api.close());
    const identity = api.app.get(IdentityClient, { strict: false });
    const callers: Caller[] = [];
    for (const { token } of this.authors) {
      const validated = await identity.validate({
        authorization: `Bearer ${token}`,
        service: 'social-publishing',
      });
      if (!validated) throw new Error('Identity does not know its own token.');
      callers.push(Caller.of(validated, 'bearer'));
    }
    return { api, callers };
  }

  /** A process that answers over HTTP, and connections to it. @param entry below the folder of the build */
  async served(
    entry: string,
    connections: number,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Pool> {
    const port = await freePort();
    const environment = { ...this.environment(port), ...more };
    const child = await Child.start(entry, { environment, ready: 'listens on' });
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections });
    this.closing.push(
      () => child.stop(),
      () => pool.close(),
    );
    return pool;
  }

  private environment(port: number): Record<string, string> {
    return {
      DATABASE_URL: this.db.url,
      IDENTITY_URL: this.identityUrl,
      IDENTITY_SERVICE_TOKEN: SERVICE_TOKEN,
      API_PORT: String(port),
      S3_BUCKET: 'not-measured',
      ...{ API_MANAGEMENT_PORT: '0', RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'error' },
      // A busy machine is slow, and no reason to refuse a caller.
      IDENTITY_TIMEOUT_MS: '10000',
      ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
      MEDIA_ADDRESS_KEYS: `bench:${randomBytes(32).toString('base64')}`,
      INTERNAL_SERVICE_TOKEN: randomBytes(32).toString('hex'),
    };
  }

  private async register(number: number): Promise<Author> {
    const response = await fetch(`${this.identityUrl}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ email: `author-${number}@example.com`, password: 'correct horse battery staple' },
        ...{ name: 'Ada Lovelace', createOrganization: true },
      }),
    });
    if (!response.ok) throw new Error(`Identity answered ${response.status}: ${await response.text()}`);
    const { user, organization, accessToken } = (await response.json()) as {
      user: { id: string };
      organization: { id: string };
      accessToken: string;
    };
    return { id: user.id, token: accessToken, organizationId: organization.id, brandId: randomUUIDv7() };
  }
}

/** One request by that author, its answer read to the end. @throws Error for anything but success */
export async function ask(
  pool: Pool,
  { token }: Author,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const response = await pool.request({ method, path, headers, body: body && JSON.stringify(body) });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
  return text;
}
