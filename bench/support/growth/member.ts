import { createHmac, randomUUID, randomUUIDv7 } from 'node:crypto';
import type { Database } from '#libs/database';
import { createPostInState, type PostState } from './posts-in-states.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Of an answer, which each operation knows. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a measured call reads one value of it
type Body = any;

export interface Membership {
  readonly url: string;
  readonly token: string;
  readonly organizationId: string;
  readonly brandId: string;
  /** Not the pool of the measured service. */
  readonly database: Database;
}

const HOUR_MS = 3_600_000;
/** Up to four years ahead, so that posts of operations are hardly ever close to each other. */
export const someTime = () =>
  new Date(Date.now() + (30 + Math.random() * 1_400) * 24 * HOUR_MS).toISOString();

/** Of the network whose signed callbacks are measured. */
export const CALLBACK_SECRET = 'growth-callback-secret';

/** A member of an organization of some size, who can call the business API, and what is there for an operation alone. */
export class Member {
  readonly brandId: string;
  readonly organizationId: string;

  constructor(private readonly of: Membership) {
    this.brandId = of.brandId;
    this.organizationId = of.organizationId;
  }

  /** @returns the parsed body, or the text of what is no JSON. @throws Error for a refusal */
  async ask(method: Method, path: string, body?: object): Promise<Body> {
    const response = await this.send(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  }

  /** What another party refuses or does not answer here: up to that, it reads what it would read. */
  async attempt(method: Method, path: string, body?: object): Promise<void> {
    await (await this.send(method, path, body)).arrayBuffer();
  }

  /** A post in this state that no operation has had. */
  postIn(state: PostState): Promise<string> {
    return createPostInState(this.of.database, this.brandId, state, someTime());
  }

  /** A contact that no operation has had. */
  async contact(): Promise<string> {
    const values = [randomUUIDv7(), this.organizationId, `${randomUUID()}@example.com`];
    await this.insert(
      'contacts.contact (id, organization_id, name, email, email_key)',
      '$1, $2, $3, $3, $3',
      values,
    );
    return values[0] as string;
  }

  /** A picture that no operation has had. */
  async file(): Promise<string> {
    const id = randomUUIDv7();
    await this.insert(
      `media.file (id, brand_id, status, kind, file_name, content_type, bytes, object_key, etag, upload_expires_at, facts, width, height,
         thumbnail_key, created_by_type, created_by)`,
      `$1, $2, 'ready', 'image', 'a.jpg', 'image/jpeg', 1000, 'media/' || $1::uuid::text || '/original', 'e', now(),
       '{"kind": "image", "width": 4000, "height": 3000}', 4000, 3000, 'media/' || $1::uuid::text || '/thumbnail.webp', 'user', 'x'`,
      [id, this.brandId],
    );
    return id;
  }

  /** A connected account that no operation has had. @returns its id, and that of the account at the network */
  async connection(platform: string): Promise<{ id: string; accountId: string }> {
    const [id, accountId] = [randomUUID(), String(Math.floor(Math.random() * 1e15))];
    await this.insert(
      `integrations.connection (id, brand_id, user_id, platform, account_id, username, display_name, scopes, pages, groups, state,
         access_token)`,
      `$1, $2, $1, $3, $4, 'acme', 'Acme', '{}', '[]', '[]', 'active', 'former.token'`,
      [id, this.brandId, platform, accountId],
    );
    return { id, accountId };
  }

  /** A trend that no operation has had. */
  async trend(): Promise<string> {
    const id = randomUUIDv7();
    const { database } = this.of;
    await database.query(
      `INSERT INTO ai.trend_source (brand_id, kind, key, version, name, dropped, attempted_at, is_limited)
       VALUES ($1, 'feed', 'k', 1, 'n', 0, now(), false) ON CONFLICT DO NOTHING`,
      [this.brandId],
    );
    await this.insert(
      'ai.trend (id, brand_id, kind, key, identity, title, summary, source_name, first_seen_at, seen_at, seen_version)',
      `$1, $2, 'feed', 'k', sha256($1::uuid::text::bytea), 't', 's', 'n', now(), now(), 1`,
      [id, this.brandId],
    );
    return id;
  }

  /** As Meta signs the body of a callback about this account. */
  signed(accountId: string): URLSearchParams {
    const payload = {
      algorithm: 'HMAC-SHA256',
      user_id: accountId,
      issued_at: Math.floor(Date.now() / 1_000),
    };
    const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
    const signature = createHmac('sha256', CALLBACK_SECRET).update(text).digest('base64url');
    return new URLSearchParams({ signed_request: `${signature}.${text}` });
  }

  private send(method: Method, path: string, body?: object): Promise<Response> {
    const isForm = body instanceof FormData || body instanceof URLSearchParams;
    const type = isForm || body === undefined ? {} : { 'content-type': 'application/json' };
    return fetch(`${this.of.url}${path}`, {
      method,
      redirect: 'manual',
      headers: { authorization: `Bearer ${this.of.token}`, ...type },
      body: isForm ? body : body && JSON.stringify(body),
    });
  }

  private async insert(table: string, values: string, parameters: readonly unknown[]): Promise<void> {
    await this.of.database.query(`INSERT INTO ${table} VALUES (${values})`, parameters);
  }
}

export type Work = (member: Member) => Promise<unknown>;
/** By the id of the operation in the OpenAPI document, and by what is asked of it. */
export type Operations = Readonly<Record<string, Work | Readonly<Record<string, Work>>>>;

export const get =
  (path: string): Work =>
  (member) =>
    member.ask('GET', path);

/** A page and the one that its cursor leads to. */
export const pages =
  (path: string): Work =>
  async (member) => {
    const { pagination } = await member.ask('GET', path);
    return member.ask('GET', `${path}${path.includes('?') ? '&' : '?'}cursor=${pagination.nextCursor}`);
  };
