import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const DAY_MS = 86_400_000;

interface Upload {
  readonly id: string;
  bytes: Buffer | null;
  /** By their number; a part that is sent again replaces itself. */
  readonly parts: Map<number, Buffer>;
  ready: boolean;
  post: string | null;
  decision: 'pending' | 'refused' | null;
  /** Publishes the submitted post. */
  accept?: () => void;
}

export interface FictionalPost {
  readonly id: string;
  readonly text: string;
  readonly page: string | null;
  readonly account: string;
  readonly upload: string | null;
  /** Of what was uploaded; SHA-256, hexadecimal. */
  readonly hash: string | null;
  /** Of the token that was shown. */
  readonly tokenOf: string;
}

type Handler = (request: IncomingMessage, body: Buffer, owner: string) => FictionalResponse;
interface FictionalResponse {
  readonly status: number;
  readonly body?: object;
}

/** The server of the fictional network: two accounts per person, one of them with a page. */
export class FictionalServer {
  readonly posts: FictionalPost[] = [];
  readonly uploads = new Map<string, Upload>();
  /** Method and path of each call, in order. */
  readonly calls: string[] = [];
  readonly revoked: string[] = [];
  /** The tokens that were sent to revoke a consent. */
  readonly revokedBy: string[] = [];
  /** Replaces the response to the next call of `METHOD path-prefix`. */
  readonly next = new Map<string, FictionalResponse | 'hang up'>();
  /** Runs before the response to the next call of `METHOD path-prefix`. */
  readonly before = new Map<string, () => Promise<unknown>>();
  /** When new tokens end, milliseconds from now. */
  tokensLastMs = 60 * DAY_MS;
  /** Whether an upload is ready once it is complete. */
  isQuick = false;
  /** Whether all accounts of a person get the same refresh token. */
  sharesRefreshToken = false;
  /** Whether a list of accounts ends the tokens of the list before. */
  replacesTokens = false;
  /** Whether it accepts posts with an upload and decides by `decide`. */
  decidesLater = false;
  /** Whether it answers every call with 503. */
  isDown = false;
  /** Every answer waits for it. */
  pause: Promise<unknown> = Promise.resolve();
  private port = 0;
  private readonly tokens = new Map<string, string>();
  private readonly server = createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<FictionalServer> {
    const fictional = new FictionalServer();
    await fictional.listen();
    return fictional;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo | null)?.port ?? this.port}`;
  }

  /** Refuses connections until `listen`. */
  async refuse(): Promise<void> {
    this.port = (this.server.address() as AddressInfo).port;
    await this.stop();
  }

  async listen(): Promise<void> {
    if (this.server.listening) return;
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** The redirect after a person allowed access. */
  allow(authorizationUrl: string, person: string): string {
    const { searchParams } = new URL(authorizationUrl);
    const back = new URL(searchParams.get('redirect_uri') ?? '');
    const query = new URLSearchParams({ state: searchParams.get('state') ?? '', code: `code-of-${person}` });
    return `${back.pathname}?${query.toString()}`;
  }

  /** Every upload that is complete has been processed. */
  process(): void {
    for (const upload of this.uploads.values()) upload.ready = upload.bytes !== null;
  }

  /** About every post that it has accepted. */
  decide(decision: 'publish' | 'refuse'): void {
    for (const upload of this.uploads.values()) {
      if (upload.decision !== 'pending') continue;
      upload.decision = decision === 'refuse' ? 'refused' : null;
      if (decision === 'publish') upload.accept?.();
    }
  }

  endGrants(): void {
    this.tokens.clear();
  }

  accepts(token: string): boolean {
    return this.tokens.has(token);
  }

  countOf(call: string): number {
    return this.calls.filter((each) => each.startsWith(call)).length;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return; // The client went away; what it sent is dropped.
    }
    const call = `${request.method ?? ''} ${request.url ?? ''}`;
    this.calls.push(call);
    await this.runBefore(call);
    await this.pause;
    const instead = [...this.next].find(([prefix]) => call.startsWith(prefix));
    if (instead) this.next.delete(instead[0]);
    const hangsUp = instead?.[1] === 'hang up';
    const { status, body } =
      instead && !hangsUp ? (instead[1] as FictionalResponse) : this.answered(request, Buffer.concat(chunks));
    if (hangsUp) request.socket.destroy();
    else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
  }

  private async runBefore(call: string): Promise<void> {
    const [prefix, run] = [...this.before].find(([each]) => call.startsWith(each)) ?? [];
    if (prefix === undefined) return;
    this.before.delete(prefix);
    await run?.();
  }

  private answered(request: IncomingMessage, body: Buffer): FictionalResponse {
    return this.isDown ? { status: 503 } : this.route(request, body);
  }

  private route(request: IncomingMessage, body: Buffer): FictionalResponse {
    const { method = '', url = '', headers } = request;
    const owner = this.tokens.get(tokenIn(headers.authorization));
    const routes: [RegExp, Handler][] = [
      [/^POST \/token$/, () => this.token(body)],
      [/^PUT \/put\//, () => this.put(url.slice('/put/'.length), body)],
    ];
    const own: [RegExp, Handler][] = [
      [/^GET \/accounts$/, () => this.accounts(owner ?? '')],
      [/^GET \/accounts\/.+\/pages$/, () => pagesOf(url)],
      [/^POST \/renew$/, () => ({ status: 200, body: this.granted(owner ?? '') })],
      [/^DELETE \/consent$/, () => this.revoke(owner ?? '', tokenIn(headers.authorization))],
      [/^POST \/uploads$/, () => this.reserve()],
      [/^GET \/uploads\//, () => this.upload(url.slice('/uploads/'.length))],
      [/^POST \/posts$/, () => this.publish(body, owner ?? '')],
    ];
    const find = (among: [RegExp, Handler][]) => among.find(([path]) => path.test(`${method} ${url}`))?.[1];
    const open = find(routes);
    if (open) return open(request, body, '');
    if (owner === undefined) return { status: 401, body: { error: 'token' } };
    return find(own)?.(request, body, owner) ?? { status: 404 };
  }

  private token(body: Buffer): FictionalResponse {
    const { code } = JSON.parse(body.toString()) as { code: string };
    if (!code.startsWith('code-of-')) return { status: 400, body: { error: 'code' } };
    return { status: 200, body: this.granted(code.slice('code-of-'.length)) };
  }

  private granted(owner: string) {
    const token = randomBytes(16).toString('hex');
    this.tokens.set(token, owner);
    return { token, expiresAt: new Date(Date.now() + this.tokensLastMs).toISOString() };
  }

  /** `ann@acme` and `bob@acme` are people who manage the same accounts. */
  private accounts(person: string): FictionalResponse {
    const business = person.split('@').at(-1) ?? '';
    const accounts = ['studio', 'shop'].map((name) => ({
      id: `${business}-${name}`,
      name: `${business}_${name}`,
      ...this.replaced(`${business}-${name}`),
      ...(this.sharesRefreshToken && { refreshToken: `refresh-${person}` }),
    }));
    return { status: 200, body: { person, accounts } };
  }

  private replaced(owner: string) {
    if (this.replacesTokens)
      for (const [token, of] of this.tokens) if (of === owner) this.tokens.delete(token);
    return this.granted(owner);
  }

  private revoke(owner: string, token: string): FictionalResponse {
    this.revoked.push(owner);
    this.revokedBy.push(token);
    return { status: 204 };
  }

  private reserve(): FictionalResponse {
    const id = `u-${this.uploads.size + 1}`;
    this.uploads.set(id, { id, bytes: null, parts: new Map(), ready: false, post: null, decision: null });
    return { status: 201, body: { id, address: `${this.url}/put/${id}?signature=${SIGNATURE}` } };
  }

  private put(path: string, bytes: Buffer): FictionalResponse {
    const { pathname, searchParams } = new URL(path, 'http://fictional');
    const upload = this.uploads.get(pathname.slice(1));
    if (!upload || searchParams.get('signature') !== SIGNATURE)
      return { status: 403, body: { error: 'signature' } };
    upload.parts.set(Number(searchParams.get('part')), bytes);
    const whole = Buffer.concat([...upload.parts].sort(([a], [b]) => a - b).map(([, part]) => part));
    if (whole.length < Number(searchParams.get('total'))) return { status: 200 };
    upload.bytes = whole;
    upload.ready = this.isQuick;
    return { status: 200 };
  }

  private upload(id: string): FictionalResponse {
    const upload = this.uploads.get(id);
    return upload
      ? { status: 200, body: { ready: upload.ready, post: upload.post, decision: upload.decision } }
      : { status: 404 };
  }

  private publish(body: Buffer, tokenOf: string): FictionalResponse {
    const { text, page, account, upload: uploadId } = JSON.parse(body.toString()) as FictionalPost;
    const upload = uploadId === null ? undefined : this.uploads.get(uploadId);
    if (uploadId !== null && !upload?.ready) return { status: 400, body: { error: 'not-ready' } };
    const bytes = upload?.bytes ?? null;
    const hash = bytes && createHash('sha256').update(bytes).digest('hex');
    const live = () => {
      const id = `f-${this.posts.length + 1}`;
      this.posts.push({ id, text, page, account, upload: uploadId, hash, tokenOf });
      if (upload) upload.post = id;
      return id;
    };
    if (!this.decidesLater || !upload) return { status: 201, body: { id: live() } };
    Object.assign(upload, { decision: 'pending', accept: live });
    return { status: 202, body: { submission: `s-${upload.id}` } };
  }
}

/** In the address of every upload; it authorizes the upload. */
export const SIGNATURE = 'a-secret-signature';

const tokenIn = (authorization: string | undefined): string => (authorization ?? '').replace('Bearer ', '');

const pagesOf = (url: string): FictionalResponse => {
  const account = url.split('/')[2] ?? '';
  const pages = account.endsWith('-shop') ? [{ id: `page-of-${account}`, name: 'Shop window' }] : [];
  return { status: 200, body: { pages } };
};
