import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUIDv7 } from 'node:crypto';

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
