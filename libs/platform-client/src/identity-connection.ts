import { Logger } from '@nestjs/common';
import { type Dispatcher, Pool } from 'undici';
import { SystemClock } from '#libs/clock';
import { CONNECTIONS } from './bulkheads.js';
import { ServiceCredentialIsRefused } from './identity-client.js';
import { MAX_VALIDATIONS } from './identity.types.js';
import type { PlatformClientConfig } from './platform-client.config.js';

/** Far above the largest response of identity about one caller. */
const MAX_RESPONSE_BYTES = 1_048_576;
/** Minimum time between two log lines about a refused service credential. */
const REFUSAL_LOG_INTERVAL_MS = 60_000;

export type RequestHeaders = Readonly<Record<string, string | undefined>>;

export interface IdentityRequest extends Pick<Dispatcher.RequestOptions, 'method' | 'path' | 'body'> {
  readonly headers: RequestHeaders;
  readonly signal: AbortSignal;
}

/** Connections to identity. No redirects, one retry only when the connection was not established. */
export class IdentityConnection {
  private readonly pool: Pool;
  private readonly base: string;
  private readonly clock = new SystemClock();
  private readonly logger = new Logger(IdentityConnection.name);
  private lastRefusalLog = -Infinity;

  constructor(config: PlatformClientConfig) {
    const url = new URL(config.identityUrl);
    this.base = url.pathname.replace(/\/+$/, '');
    this.pool = new Pool(url.origin, {
      connections: CONNECTIONS,
      connect: { timeout: config.identityTimeoutMs },
      maxResponseSize: MAX_RESPONSE_BYTES * MAX_VALIDATIONS,
    });
  }

  /**
   * @param refusals statuses that give null, but only with a problem document as identity sends it: a proxy or an
   * authentication gateway also responds 401. Every other status except 200 is an outage.
   */
  async request<T>(
    request: IdentityRequest,
    refusals: readonly number[],
    read: (body: unknown) => T,
  ): Promise<T | null> {
    return this.readResponse(await this.send(request), refusals, read);
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private async readResponse<T>(
    { statusCode, body, headers }: Dispatcher.ResponseData,
    refusals: readonly number[],
    read: (body: unknown) => T,
  ): Promise<T | null> {
    const mediaType = mediaTypeOf(headers['content-type']);
    if (statusCode === 200 && mediaType === 'application/json') return read(await body.json());
    await body.dump();
    const isRefusal = mediaType === 'application/problem+json';
    if (isRefusal && refusals.includes(statusCode)) return null;
    if (isRefusal && statusCode === 403) throw this.serviceRefusal();
    throw new Error(`Identity responded ${statusCode} with content type ${String(headers['content-type'])}.`);
  }

  private serviceRefusal(): ServiceCredentialIsRefused {
    const refusal = new ServiceCredentialIsRefused();
    const now = this.clock.monotonic();
    if (now - this.lastRefusalLog > REFUSAL_LOG_INTERVAL_MS) {
      this.lastRefusalLog = now;
      this.logger.error(refusal.message);
    }
    return refusal;
  }

  /** Its signal also covers the wait for a connection. */
  private async send({ path, headers, signal, ...others }: IdentityRequest) {
    signal.throwIfAborted();
    const request: Dispatcher.RequestOptions = {
      ...others,
      path: this.base + path,
      headers: { accept: 'application/json, application/problem+json', ...definedHeaders(headers) },
      signal,
    };
    try {
      return await this.pool.request(request);
    } catch (error) {
      if (isConnectionFailure(error)) return this.pool.request(request);
      throw error;
    }
  }
}

/** In lower case and without parameters. */
function mediaTypeOf(contentType: string | string[] | undefined): string | undefined {
  if (typeof contentType !== 'string') return undefined;
  return contentType.split(';', 1)[0]?.trim().toLowerCase();
}

function definedHeaders(headers: RequestHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** The request was not sent. A connect timeout is excluded: it has used up the request's time. */
function isConnectionFailure(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ENOTFOUND' || code === 'EAI_AGAIN';
}
