import type { IncomingMessage, Server } from 'node:http';
import type { Request } from 'express';

/** Which of a service's two addresses a request came in by. */
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
 * Whether the path exists on the surface at all. The path must be the one the router matches, and the
 * router ignores case: what differed here would be a way in.
 */
export function isServed(request: Request, surface: Surface): boolean {
  if (ON_BOTH.test(request.path)) return true;
  return MANAGEMENT_ONLY.test(request.path) === (surface === 'management');
}
