import type { IncomingMessage, Server } from 'node:http';
import type { Request } from 'express';

/** The address of a service that a request arrived at. */
export type Surface = 'public' | 'management';

const SURFACE = Symbol('surface');

type Marked = Server & { [SURFACE]?: Surface };

export function markSurface(server: Server, surface: Surface): void {
  (server as Marked)[SURFACE] = surface;
}

export function surfaceOf(request: IncomingMessage): Surface {
  const server = (request.socket as unknown as { server?: Marked }).server;
  return server?.[SURFACE] ?? 'public';
}

const MANAGEMENT_ONLY = /^\/(internal|metrics)(\/|$)/i;
const ON_BOTH = /^\/(health|healthz|readyz)\/?$/i;

/**
 * Whether the path exists on the surface. Must match paths exactly as the router does, which ignores case: a difference
 * would expose internal routes.
 */
export function isServed(request: Request, surface: Surface): boolean {
  if (ON_BOTH.test(request.path)) return true;
  return MANAGEMENT_ONLY.test(request.path) === (surface === 'management');
}
