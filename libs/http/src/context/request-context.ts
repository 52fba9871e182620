import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';

/** W3C Trace Context, level 1: version 00, 16-byte trace id, 8-byte parent id, flags; all-zero ids are invalid. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

interface TraceContext {
  readonly traceId: string;
  /** For outgoing calls: the caller's trace, this service as the parent. */
  readonly traceparent: string;
}

/** Continues the caller's trace, or starts one where the header is missing or not valid. */
export function continueTrace(header: string | undefined): TraceContext {
  const [, traceId = hex(), flags = '00'] = (header && TRACEPARENT.exec(header)) || [];
  return { traceId, traceparent: `00-${traceId}-${hex().slice(0, 16)}-${flags}` };
}

/** 122 random bits, from a UUID because Node caches entropy for those. */
function hex(): string {
  return randomUUID().replaceAll('-', '');
}

const REQUEST_ID = /^[A-Za-z0-9._-]{8,128}$/;

/** The caller's request id if it is safe in logs and headers, else undefined. */
export function acceptableRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : undefined;
}

type Phase = 'starting' | 'ready' | 'draining';

/** The name, version and phase of this service. */
@Injectable()
export class ServiceInfo {
  phase: Phase = 'starting';

  constructor(
    /** Short name as in logs and metrics, such as `api`. */
    readonly name: string,
    readonly version: string,
  ) {}
}

/** The request or job that the running code belongs to. */
export interface RequestContext {
  /** Sent as `X-Request-Id`; null outside a request. */
  readonly requestId: string | null;
  /** Shared by everything that one request causes, across services: the trace id if there is one. */
  readonly correlationId: string;
  /** W3C trace context to send along on outgoing calls. */
  readonly traceparent?: string;
  /** The service whose request this is; several may share a process. */
  readonly service?: string;
  /** Address of the client, as `addressOf` gives it; undefined outside a request. */
  readonly client?: string;
  /** Organizations whose data the request changes; filled while it runs. */
  readonly organizationIds?: Set<string>;
  /** Organizations that own what the request reads or changes, the first first; filled while it runs. */
  readonly owners?: Set<string>;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** The context of the running code; outside a request one with a correlation id of its own. */
export function requestContext(): RequestContext {
  return storage.getStore() ?? { requestId: null, correlationId: randomUUIDv7() };
}

/** The context of the running code, or undefined. */
export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Records that the running request changes data of an organization. */
export function concerns(organizationId: string): void {
  storage.getStore()?.organizationIds?.add(organizationId);
  actsOn(organizationId);
}

/** Records that the running request reads or changes what an organization owns. */
export function actsOn(organizationId: string): void {
  storage.getStore()?.owners?.add(organizationId.toLowerCase());
}

/** The organization that the running request acts on; undefined while it has not found one. */
export const actedOn = (): string | undefined => storage.getStore()?.owners?.values().next().value;

/** The organizations whose data the running request has changed. */
export function affectedOrganizations(): string[] {
  return [...(storage.getStore()?.organizationIds ?? [])];
}

/** Runs `work`, and everything it starts, in `context`; for workers and for tests. */
export function runInContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}
