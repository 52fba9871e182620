import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BusinessApi } from './business-api.js';
import type { Call } from './call.js';
import { GoogleApi, type ReceivedCall } from './google-api.js';

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

/** A request that a key came with first, and its response once it is there. */
interface Keyed {
  readonly request: string;
  response?: { readonly status: number; readonly text: string };
}

/**
 * The completion route of a gateway that responds as a test says. As the real one, it runs a request once for each Idempotency-Key:
 * a repetition gets the stored response, 409 while the first one runs, and 422 if it is another request. Like the real one it forgets
 * the key after an outage or a limit.
 */
export class CompletionsStandIn {
  respond: Respond = completes([]);
  /** Statuses of repetitions, which were not run, oldest first. */
  readonly repeated: number[] = [];
  private readonly run = new Set<ReceivedCall>();
  private readonly keyed = new Map<string, Keyed>();

  private constructor(private readonly server: GoogleApi) {
    server.answer = (request, response) =>
      this.handle(server.calls.at(-1) as ReceivedCall, request, response);
  }

  static async start(): Promise<CompletionsStandIn> {
    return new CompletionsStandIn(await GoogleApi.start());
  }

  get url(): string {
    return this.server.url;
  }

  /** The calls that were run, which a provider bills, oldest first. */
  get calls(): { readonly body: string; readonly headers: IncomingMessage['headers'] }[] {
    return [...this.run].map(({ body, headers }) => ({ body: body.toString(), headers }));
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private handle(call: ReceivedCall, request: IncomingMessage, response: ServerResponse): void {
    const { body, headers } = call;
    const key = String(headers['idempotency-key']);
    const given = JSON.stringify([headers['x-organization-id'], headers['x-user-id'], body.toString()]);
    const known = this.keyed.get(key);
    if (known) return this.repeat(known, given, response);
    const kept: Keyed = { request: given };
    if (headers['idempotency-key'] !== undefined) this.keyed.set(key, kept);
    this.run.add(call);
    whenEnded(response, (status, text) => {
      if (status === null || status >= 429) this.keyed.delete(key);
      else kept.response = { status, text };
    });
    this.respond(response, request);
  }

  private repeat({ request, response: first }: Keyed, given: string, response: ServerResponse): void {
    const running = { status: 409, text: problem(409, 'idempotent_request_running') };
    const another = { status: 422, text: problem(422, 'idempotency_key_reused') };
    const { status, text } = request === given ? (first ?? running) : another;
    this.repeated.push(status);
    const contentType = status < 400 ? 'application/json' : 'application/problem+json';
    response.writeHead(status, { 'content-type': contentType }).end(text);
  }
}

/** @param ended also after the client has left; status null: the test has destroyed the response */
function whenEnded(response: ServerResponse, ended: (status: number | null, text: string) => void): void {
  const end = response.end.bind(response);
  const destroy = response.destroy.bind(response);
  response.end = (text: unknown) => {
    ended(response.statusCode, String(text));
    return end(text);
  };
  response.destroy = (error) => {
    ended(null, '');
    return destroy(error);
  };
}

const problem = (status: number, code: string): string =>
  JSON.stringify({ type: 'about:blank', title: 'No', status, code, detail: 'No.' });

const answers = (status: number, text: string, headers?: Record<string, string>): Respond => {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
};

/** A completion with this text, or these trends. */
export const completes = (trends: string | readonly object[], finishReason = 'stop'): Respond =>
  answers(
    200,
    JSON.stringify({
      id: randomUUID(),
      model: 'openai/gpt-5',
      requestedModel: 'openai/gpt-5',
      cost: '0.001',
      attempts: [],
      text: typeof trends === 'string' ? trends : JSON.stringify({ trends }),
      toolCalls: [],
      finishReason,
    }),
  );

export const refuses = (status: number, code: string, headers?: Record<string, string>): Respond =>
  answers(status, problem(status, code), { 'content-type': 'application/problem+json', ...headers });

export const aTrend = (title: string, more: object = {}) => ({ title, summary: 'Why.', link: null, ...more });

export const rss = (items: string): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>Coffee News</title><link>/</link>${items}</channel></rss>`;

/** A brand of a new organization, and a person with all permissions in it. */
export class TrendsWorld {
  private constructor(
    readonly call: Call,
    readonly token: string,
    readonly organizationId: string,
    readonly brandId: string,
  ) {}

  static async of(api: BusinessApi): Promise<TrendsWorld> {
    const { token, organizationId } = api.person();
    const call = api.as(token);
    const { body } = await call('POST', '/api/brands', { name: 'Acme Coffee' });
    return new TrendsWorld(call, token, organizationId, body.id as string);
  }

  trends(query = 'topics=coffee', call = this.call) {
    return call('GET', `/api/trends?brandId=${this.brandId}&${query}`);
  }

  setFeeds(feeds: readonly string[], headers?: Record<string, string>) {
    return this.call('PUT', `/api/trends/feeds?brandId=${this.brandId}`, { feeds }, headers);
  }

  suggest(trendId: string, platform = 'x', call = this.call, headers?: Record<string, string>) {
    return call('POST', `/api/trends/${trendId}/suggestion`, { platform }, headers);
  }
}
