import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { errors } from 'undici';
import { SystemClock } from '#libs/clock';
import { type BatchLimits, BatchWriter } from '#libs/concurrency';
import { Bulkheads } from './bulkheads.js';
import { IdentityClient, IdentityIsUnavailable } from './identity-client.js';
import { IdentityConnection, type RequestHeaders } from './identity-connection.js';
import {
  type ClaimedAttribution,
  type Credentials,
  MAX_VALIDATIONS,
  type PermissionPayload,
  type RegisteredService,
  type Registration,
  type ValidatedCaller,
  type VerifiedAttribution,
} from './identity.types.js';
import { PlatformClientConfig } from './platform-client.config.js';
import {
  readAttribution,
  readPermissions,
  readRegistration,
  readService,
  readValidatedCaller,
  readValidationResults,
} from './read-responses.js';
import { RequestCoalescer } from './request-coalescer.js';

/** The bytes are of credentials, far below the largest body that identity reads. */
const BATCH: BatchLimits<Asked> = {
  maxBatch: MAX_VALIDATIONS,
  concurrency: Infinity,
  linger: 'turn',
  weight: {
    max: 65_536,
    of: ({ headers: { authorization = '', 'x-api-key': apiKey = '' }, service }) =>
      authorization.length + apiKey.length + service.length,
  },
  failsTogether: () => true,
};
/** The client treats unauthenticated, forbidden and not found alike. */
const NOT_VISIBLE = [401, 403, 404];

/** Identity over HTTP. No cache. */
@Injectable()
export class HttpIdentityClient extends IdentityClient implements OnApplicationShutdown {
  private readonly connection: IdentityConnection;
  private readonly validations = new RequestCoalescer<ValidatedCaller | null>();
  private readonly batches = new BatchWriter<Asked, () => ValidatedCaller | null>(
    (all) => this.validateBatch(all),
    BATCH,
  );
  private readonly attributions = new RequestCoalescer<VerifiedAttribution>();
  private readonly clock = new SystemClock();
  private readonly bulkheads = new Bulkheads(() => this.clock.monotonic());

  constructor(private readonly config: PlatformClientConfig) {
    super();
    this.connection = new IdentityConnection(config);
  }

  /**
   * Coalesced, and those of one turn of the event loop in one exchange: a shared request carries the request id and trace context
   * of its first caller.
   */
  validate(credentials: Credentials): Promise<ValidatedCaller | null> {
    const { authorization, apiKey, service, requestId, traceparent, client } = credentials;
    const headers = {
      authorization,
      'x-api-key': apiKey,
      'x-request-id': requestId,
      traceparent,
      'x-service-token': this.config.identityServiceToken,
    };
    const asked = { headers, service };
    return this.validations.run(JSON.stringify([authorization, apiKey, service]), async () => {
      const caller = await this.bounded(headers, client, (signal, isRecent) =>
        isRecent ? this.askWithOthers(asked, signal) : this.validateAlone(asked, signal),
      );
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
    await this.connection.close();
  }

  /** @param refusals see `IdentityConnection` */
  private get<T>(
    path: string,
    headers: RequestHeaders,
    refusals: readonly number[],
    read: (body: unknown) => T,
  ): Promise<T | null> {
    return this.bounded(headers, '', (signal) =>
      this.connection.request({ method: 'GET', path, headers, signal }, refusals, read),
    );
  }

  /** @param client address that sent the credential, see `Credentials`; '' for calls of this service */
  private async bounded<T>(
    headers: RequestHeaders,
    client: string | undefined,
    request: (signal: AbortSignal, isRecent: boolean) => Promise<T | null>,
  ): Promise<T | null> {
    const signal = AbortSignal.timeout(this.config.identityTimeoutMs);
    try {
      return await this.bulkheads.run(credentialOf(headers), client ?? '', (isRecent) =>
        request(signal, isRecent),
      );
    } catch (error) {
      if (error instanceof errors.InvalidArgumentError) return null;
      throw new IdentityIsUnavailable(error);
    }
  }

  private validateAlone({ headers, service }: Asked, signal: AbortSignal): Promise<ValidatedCaller | null> {
    const path = `/validate?service=${encodeURIComponent(service)}`;
    const read = (body: unknown) => readValidatedCaller(body, service, this.clock.now());
    return this.connection.request({ method: 'GET', path, headers, signal }, [401], read);
  }

  /**
   * Only for credentials that were accepted recently: others can wait at identity, and the exchange would wait with them. One that
   * is alone in its turn is sent alone.
   * @param signal ends the wait of this caller, not that of the others
   */
  private askWithOthers(asked: Asked, signal: AbortSignal): Promise<ValidatedCaller | null> {
    signal.throwIfAborted();
    const timedOut = Promise.withResolvers<never>();
    const abort = (): void => timedOut.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    const answer = this.batches.add(asked).then((result) => result());
    return Promise.race([answer, timedOut.promise]).finally(() => signal.removeEventListener('abort', abort));
  }

  private async validateBatch(all: readonly [Asked, ...Asked[]]): Promise<(() => ValidatedCaller | null)[]> {
    const signal = AbortSignal.timeout(this.config.identityTimeoutMs);
    const [first] = all;
    if (all.length === 1) {
      const caller = await this.validateAlone(first, signal);
      return [() => caller];
    }
    const validations = all.map(({ headers, service }) => ({
      authorization: headers.authorization,
      apiKey: headers['x-api-key'],
      service,
    }));
    const { authorization: _, 'x-api-key': __, ...headers } = first.headers;
    const request = {
      method: 'POST' as const,
      path: '/validate/batch',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ validations }),
      signal,
    };
    const services = all.map(({ service }) => service);
    const read = (body: unknown) => readValidationResults(body, services, this.clock.now());
    return (await this.connection.request(request, [], read)) ?? [];
  }
}

/** Credentials of a caller as headers, and the service that it asks for. */
interface Asked {
  readonly headers: RequestHeaders;
  readonly service: string;
}

function credentialOf({ authorization, 'x-api-key': apiKey }: RequestHeaders): string {
  return JSON.stringify([authorization, apiKey]);
}
