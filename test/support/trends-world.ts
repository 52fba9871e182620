import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BusinessApi } from './business-api.js';
import type { Call } from './call.js';
import { GoogleApi } from './google-api.js';

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

/** The completion route of a gateway that responds as a test says. */
export class CompletionsStandIn {
  respond: Respond = completes([]);

  private constructor(private readonly server: GoogleApi) {
    server.answer = (request, response) => this.respond(response, request);
  }

  static async start(): Promise<CompletionsStandIn> {
    return new CompletionsStandIn(await GoogleApi.start());
  }

  get url(): string {
    return this.server.url;
  }

  /** Bodies of the calls, oldest first. */
  get calls(): { readonly body: string; readonly headers: IncomingMessage['headers'] }[] {
    return this.server.calls.map(({ body, headers }) => ({ body: body.toString(), headers }));
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}

const json = (status: number, body: object, headers: Record<string, string> = {}): Respond => {
  return (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));
};

/** A completion with this text, or these trends. */
export const completes = (trends: string | readonly object[], finishReason = 'stop'): Respond =>
  json(200, {
    id: randomUUID(),
    model: 'openai/gpt-5',
    cost: '0.001',
    attempts: [],
    text: typeof trends === 'string' ? trends : JSON.stringify({ trends }),
    toolCalls: [],
    finishReason,
  });

export const refuses = (status: number, code: string, headers?: Record<string, string>): Respond =>
  json(
    status,
    { type: 'about:blank', title: 'No', status, code, detail: 'No.' },
    { 'content-type': 'application/problem+json', ...headers },
  );

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

  suggest(trendId: string, platform = 'x', call = this.call) {
    return call('POST', `/api/trends/${trendId}/suggestion`, { platform });
  }
}
