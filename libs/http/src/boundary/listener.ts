import type { IncomingMessage, Server } from 'node:http';
import type { Request } from 'express';

/** The address of a service that a request arrived at. */
export type Listener = 'public' | 'management';

const LISTENER = Symbol('listener');

type Marked = Server & { [LISTENER]?: Listener };

export function markListener(server: Server, listener: Listener): void {
  (server as Marked)[LISTENER] = listener;
}

export function listenerOf(request: IncomingMessage): Listener {
  const server = (request.socket as unknown as { server?: Marked }).server;
  return server?.[LISTENER] ?? 'public';
}

const MANAGEMENT_ONLY = /^\/(internal|metrics)(\/|$)/i;
const ON_BOTH = /^\/(health|healthz|readyz)\/?$/i;

/**
 * Whether the path exists on the listener. Must match paths exactly as the router does, which ignores case: a difference
 * would expose internal routes.
 */
export function isServed(request: Request, listener: Listener): boolean {
  if (ON_BOTH.test(request.path)) return true;
  return MANAGEMENT_ONLY.test(request.path) === (listener === 'management');
}
