import type { OnApplicationShutdown } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';
import type { Dispatcher } from 'undici';
import { errors, Pool } from 'undici';
import { SystemClock } from '#libs/clock';
import { InFlight } from './in-flight.js';
import { IdentityClient } from './identity-client.js';
import { CONNECTIONS, Lanes } from './lanes.js';
import { IdentityIsUnavailable, ServiceCredentialIsRefused } from './identity.errors.js';
import type { Credentials, PermissionPayload, RegisteredService, ValidatedCaller } from './identity.types.js';
import { PlatformClientConfig } from './platform-client.config.js';
import { readPermissions, readService, readValidatedCaller } from './read-answers.js';

/** No answer of identity comes near this; a longer one is not identity's. */
const MAX_ANSWER_BYTES = 1_048_576;
/** How often the log says that identity refuses this service. */
const COMPLAINT_MS = 60_000;
/** No caller, not allowed, not there: all mean that there is nothing to see. */
const NOT_FOR_YOU = [401, 403, 404];

/** Identity over HTTP. No cache, no redirects followed, one more try only when no connection was made. */
@Injectable()
export class HttpIdentityClient extends IdentityClient implements OnApplicationShutdown {
  private readonly pool: Pool;
  private readonly base: string;
  private readonly validations = new InFlight<ValidatedCaller | null>();
  private readonly clock = new SystemClock();
  private readonly lanes = new Lanes(() => this.clock.monotonic());
  private readonly logger = new Logger(HttpIdentityClient.name);
  private lastComplaint = -Infinity;

  constructor(private readonly config: PlatformClientConfig) {
    super();
    const url = new URL(config.identityUrl);
    this.base = url.pathname.replace(/\/+$/, '');
    this.pool = new Pool(url.origin, {
      connections: CONNECTIONS,
      connect: { timeout: config.identityTimeoutMs },
      maxResponseSize: MAX_ANSWER_BYTES,
    });
  }

  /** Callers that ask the same at the same moment share a call, which then carries the first one's ids; see `InFlight`. */
  validate(credentials: Credentials): Promise<ValidatedCaller | null> {
    const { authorization, apiKey, service, requestId, traceparent } = credentials;
    const headers = {
      authorization,
      'x-api-key': apiKey,
      'x-request-id': requestId,
      traceparent,
      'x-service-token': this.config.identityServiceToken,
    };
    const path = `/validate?service=${encodeURIComponent(service)}`;
    const read = (body: unknown) => readValidatedCaller(body, service, this.clock.now());
    return this.validations.share(JSON.stringify([authorization, apiKey, service]), async () => {
      const caller = await this.ask(path, headers, [401], read);
      this.lanes.note(credentialOf(headers), caller !== null);
      return caller;
    });
  }

  findService(slug: string, authorization: string): Promise<RegisteredService | null> {
    return this.ask(`/api/services/${encodeURIComponent(slug)}`, { authorization }, NOT_FOR_YOU, readService);
  }

  permissionsOf(userId: string, authorization: string): Promise<PermissionPayload | null> {
    const path = `/api/users/${encodeURIComponent(userId)}/permissions`;
    return this.ask(path, { authorization }, NOT_FOR_YOU, readPermissions);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }

  /**
   * @param no the statuses that are a definite no when they come as a problem document, as identity sends each refusal. A
   * proxy or an authentication gateway in front answers 401 too. Everything else but 200 is an outage.
   */
  private async ask<T>(
    path: string,
    headers: AskedHeaders,
    no: readonly number[],
    read: (body: unknown) => T,
  ): Promise<T | null> {
    const signal = AbortSignal.timeout(this.config.identityTimeoutMs);
    try {
      return await this.lanes.run(credentialOf(headers), async () => {
        const answer = await this.send(path, headers, signal);
        return await this.judge(answer, no, read);
      });
    } catch (error) {
      if (error instanceof errors.InvalidArgumentError) return null;
      throw new IdentityIsUnavailable(error);
    }
  }

  private async judge<T>(
    { statusCode, body, headers }: Dispatcher.ResponseData,
    no: readonly number[],
    read: (body: unknown) => T,
  ): Promise<T | null> {
    const mediaType = mediaTypeOf(headers['content-type']);
    if (statusCode === 200 && mediaType === 'application/json') return read(await body.json());
    await body.dump();
    const isRefusal = mediaType === 'application/problem+json';
    if (isRefusal && no.includes(statusCode)) return null;
    if (isRefusal && statusCode === 403) throw this.refusedAsService();
    throw new Error(`Identity answered ${statusCode} as ${String(headers['content-type'])}.`);
  }

  /** Once in a while, as every request runs into it. */
  private refusedAsService(): ServiceCredentialIsRefused {
    const refusal = new ServiceCredentialIsRefused();
    const now = this.clock.monotonic();
    if (now - this.lastComplaint > COMPLAINT_MS) {
      this.lastComplaint = now;
      this.logger.error(refusal.message);
    }
    return refusal;
  }

  /** @param signal ends the question, the time it waited for a connection included */
  private async send(path: string, headers: AskedHeaders, signal: AbortSignal) {
    signal.throwIfAborted();
    const request: Dispatcher.RequestOptions = {
      method: 'GET',
      path: this.base + path,
      headers: { accept: 'application/json, application/problem+json', ...present(headers) },
      signal,
    };
    try {
      return await this.pool.request(request);
    } catch (error) {
      if (neverConnected(error)) return this.pool.request(request);
      throw error;
    }
  }
}

type AskedHeaders = Readonly<Record<string, string | undefined>>;

/** What identity is to judge, as one text. */
function credentialOf({ authorization, 'x-api-key': apiKey }: AskedHeaders): string {
  return JSON.stringify([authorization, apiKey]);
}

/** In lower case and without parameters. */
function mediaTypeOf(contentType: string | string[] | undefined): string | undefined {
  if (typeof contentType !== 'string') return undefined;
  return contentType.split(';', 1)[0]?.trim().toLowerCase();
}

function present(headers: AskedHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** The request has certainly not been sent. A connect timeout is not among them: it has used up the time already. */
function neverConnected(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ENOTFOUND' || code === 'EAI_AGAIN';
}
