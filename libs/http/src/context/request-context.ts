import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUIDv7 } from 'node:crypto';

/** What is known about the request, or the job, that the running code belongs to. */
export interface RequestContext {
  /** Answered as `X-Request-Id`; null outside a request. */
  readonly requestId: string | null;
  /** The same for everything that one act of a caller sets off, across services: the trace id where there is one. */
  readonly correlationId: string;
  /** W3C trace context to send along on outgoing calls. */
  readonly traceparent?: string;
  /** The service whose request this is; several may share a process. */
  readonly service?: string;
  /** Organizations whose things the request changes; filled while it is served. */
  readonly organizationIds?: Set<string>;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** The context of the running code; outside a request one with a correlation id of its own. */
export function requestContext(): RequestContext {
  return storage.getStore() ?? { requestId: null, correlationId: randomUUIDv7() };
}

/** Like `requestContext`, without making one up. */
export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Says that the running request changes something of an organization. */
export function concerns(organizationId: string): void {
  storage.getStore()?.organizationIds?.add(organizationId);
}

/** The organizations that the running request has changed something of. */
export function organizationsConcerned(): string[] {
  return [...(storage.getStore()?.organizationIds ?? [])];
}

/** Runs `work`, and everything it starts, in `context`; for workers and for tests. */
export function runInContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}
