import { Readable } from 'node:stream';
import { type OutboundRequest, type OutboundStream, ResponseBody } from '#libs/outbound-http';
import { TimeLimit } from '../../libs/outbound-http/src/time-limit.js';
import type { Accepts, WireCall } from '../../src/platform/gateway/ai/providers/wires/wire.js';
import type { AiHttp } from '../../src/platform/gateway/ai/providers/wires/exchange.js';

export interface CannedResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text, JSON, or chunks as they arrive. An error in the place of a chunk cuts the response. */
  readonly body?: string | object | readonly (string | Uint8Array | Error)[];
}

export type Canned = CannedResponse | Exclude<OutboundStream, { kind: 'answered' }>;

/** In the place of a connection: the requests of adapters, and responses in order. The last one is repeated. */
export class CannedHttp {
  readonly requests: OutboundRequest[] = [];
  readonly idleTimeoutMs = 1_000;
  /** Bodies that were neither read to their end nor discarded. */
  readonly sources: Readable[] = [];
  private readonly canned: Canned[];

  constructor(...canned: Canned[]) {
    this.canned = canned;
  }

  stream(request: OutboundRequest): Promise<OutboundStream> {
    this.requests.push(request);
    const canned = (this.canned.length > 1 ? this.canned.shift() : this.canned[0]) ?? {};
    return Promise.resolve('kind' in canned ? canned : this.answered(canned));
  }

  private answered({ status = 200, headers = {}, body = '' }: CannedResponse): OutboundStream {
    const source = Readable.from(chunksOf(body), { objectMode: false });
    this.sources.push(source);
    const type = Array.isArray(body) ? 'text/event-stream' : 'application/json';
    return {
      kind: 'answered',
      status,
      headers: { 'content-type': type, ...headers },
      body: new ResponseBody(source, new TimeLimit(10_000), null),
    };
  }

  /** As what adapters take. */
  get http(): AiHttp {
    return this as unknown as AiHttp;
  }

  /** The JSON body of a request. */
  sent(index = 0): unknown {
    const { body } = this.requests[index] ?? {};
    return typeof body === 'string' ? JSON.parse(body) : undefined;
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- the body is read as an asynchronous stream.
async function* chunksOf(body: NonNullable<CannedResponse['body']>): AsyncGenerator<Uint8Array> {
  if (typeof body === 'string') return yield Buffer.from(body);
  if (!Array.isArray(body)) return yield Buffer.from(JSON.stringify(body));
  for (const chunk of body as readonly (string | Uint8Array | Error)[]) {
    if (chunk instanceof Error) throw chunk;
    yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  }
}

export const SECRET = 'sk-test-0123456789abcdef';

export const ANYTHING: Accepts = {
  maxTemperature: 2,
  stop: true,
  tools: 'always',
  schema: 'any',
  imageSizes: 'ratio-and-size',
  signatures: true,
};

export const aWireCall = (changes: Partial<WireCall> = {}): WireCall => ({
  baseUrl: 'https://provider.test',
  headers: {},
  secret: SECRET,
  model: 'a-model',
  accepts: ANYTHING,
  signal: new AbortController().signal,
  timeoutMs: 5_000,
  ...changes,
});
