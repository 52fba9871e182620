import type { OnApplicationShutdown } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';
import type { Dispatcher } from 'undici';
import { errors, Pool } from 'undici';
import { SystemClock } from '#libs/clock';
import { Bulkheads, CONNECTIONS } from './bulkheads.js';
import { IdentityClient } from './identity-client.js';
import { IdentityIsUnavailable, ServiceCredentialIsRefused } from './identity.errors.js';
import type {
  ClaimedAttribution,
  Credentials,
  PermissionPayload,
  RegisteredService,
  Registration,
  ValidatedCaller,
  VerifiedAttribution,
} from './identity.types.js';
import { PlatformClientConfig } from './platform-client.config.js';
import {
  readAttribution,
  readPermissions,
  readRegistration,
  readService,
  readValidatedCaller,
} from './read-responses.js';
import { RequestCoalescer } from './request-coalescer.js';

/** Far above the largest response of identity. */
const MAX_RESPONSE_BYTES = 1_048_576;
/** Minimum time between two log lines about a refused service credential. */
const REFUSAL_LOG_INTERVAL_MS = 60_000;
/** The client treats unauthenticated, forbidden and not found alike. */
const NOT_VISIBLE = [401, 403, 404];

/** Identity over HTTP. No cache, no redirects, one retry only when the connection was not established. */
@Injectable()
export class HttpIdentityClient extends IdentityClient implements OnApplicationShutdown {
  private readonly pool: Pool;
  private readonly base: string;
  private readonly validations = new RequestCoalescer<ValidatedCaller | null>();
  private readonly attributions = new RequestCoalescer<VerifiedAttribution>();
  private readonly clock = new SystemClock();
  private readonly bulkheads = new Bulkheads(() => this.clock.monotonic());
  private readonly logger = new Logger(HttpIdentityClient.name);
  private lastRefusalLog = -Infinity;

  constructor(private readonly config: PlatformClientConfig) {
    super();
    const url = new URL(config.identityUrl);
    this.base = url.pathname.replace(/\/+$/, '');
    this.pool = new Pool(url.origin, {
      connections: CONNECTIONS,
      connect: { timeout: config.identityTimeoutMs },
      maxResponseSize: MAX_RESPONSE_BYTES,
    });
  }

  /** Coalesced: a shared request carries the request id and trace context of its first caller. */
  validate(credentials: Credentials): Promise<ValidatedCaller | null> {
    const { authorization, apiKey, service, requestId, traceparent, client } = credentials;
    const headers = {
      authorization,
      'x-api-key': apiKey,
      'x-request-id': requestId,
      traceparent,
      'x-service-token': this.config.identityServiceToken,
    };
    const path = `/validate?service=${encodeURIComponent(service)}`;
    const read = (body: unknown) => readValidatedCaller(body, service, this.clock.now());
    return this.validations.run(JSON.stringify([authorization, apiKey, service]), async () => {
      const caller = await this.get(path, headers, [401], read, client);
      this.bulkheads.recordResult(credentialOf(headers), caller !== null);
      return caller;
    });
  }

  findService(slug: string, authorization: string): Promise<RegisteredService | null> {
    return this.get(`/api/services/${encodeURIComponent(slug)}`, { authorization }, NOT_VISIBLE, readService);
  }

  registration(slug: string): Promise<Registration | null> {
    const headers = { 'x-service-token': this.config.identityServiceToken };
    const path = `/api/registrations/${encodeURIComponent(slug)}`;
    return this.get(path, headers, [404], (body) => readRegistration(body, slug));
  }

  /** Coalesced. Never waits behind forged credentials: the request carries the token of this service only. */
  verifyAttribution(claimed: ClaimedAttribution): Promise<VerifiedAttribution> {
    const headers = { 'x-service-token': this.config.identityServiceToken };
    const path = `/api/attribution?${new URLSearchParams({ ...claimed }).toString()}`;
    return this.attributions.run(path, async () => {
      const verified = await this.get(path, headers, [], readAttribution);
      if (!verified) throw new IdentityIsUnavailable();
      this.bulkheads.recordResult(credentialOf(headers), true);
      return verified;
    });
  }

  permissionsOf(userId: string, authorization: string): Promise<PermissionPayload | null> {
    const path = `/api/users/${encodeURIComponent(userId)}/permissions`;
    return this.get(path, { authorization }, NOT_VISIBLE, readPermissions);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }

  /**
   * @param client address that sent the credential, see `Credentials`; '' for calls of this service
   * @param refusals statuses that give null, but only with a problem document as identity sends it: a proxy or an
   * authentication gateway also responds 401. Every other status except 200 is an outage.
   */
  private async get<T>(
    path: string,
    headers: RequestHeaders,
    refusals: readonly number[],
    read: (body: unknown) => T,
    client = '',
  ): Promise<T | null> {
    const signal = AbortSignal.timeout(this.config.identityTimeoutMs);
    try {
      return await this.bulkheads.run(credentialOf(headers), client, async () => {
        const response = await this.send(path, headers, signal);
        return await this.readResponse(response, refusals, read);
      });
    } catch (error) {
      if (error instanceof errors.InvalidArgumentError) return null;
      throw new IdentityIsUnavailable(error);
    }
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

  /** @param signal also covers the wait for a connection */
  private async send(path: string, headers: RequestHeaders, signal: AbortSignal) {
    signal.throwIfAborted();
    const request: Dispatcher.RequestOptions = {
      method: 'GET',
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

type RequestHeaders = Readonly<Record<string, string | undefined>>;

function credentialOf({ authorization, 'x-api-key': apiKey }: RequestHeaders): string {
  return JSON.stringify([authorization, apiKey]);
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
