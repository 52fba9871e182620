import { type Handled, json, type SandboxResponse } from './response.js';
import type { Call } from './call.js';
import type { Route } from './router.js';

/** An invalid control request. A test must fail on it instead of running without its fault. */
export class ControlRequestIsInvalid extends Error {
  override name = 'ControlRequestIsInvalid';
}

/** The body, an empty one as `{}`. JSON only: a page of another origin cannot send that without asking first. */
export function controlBody(call: Call): Record<string, unknown> {
  if (call.body === '') return {};
  if (call.mediaType !== 'application/json') throw new ControlRequestIsInvalid('Send application/json.');
  const value = call.json?.value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ControlRequestIsInvalid('The body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/** Whether no page of another site sent it: the Host is this machine (against DNS rebinding), and the Origin is the same. */
export function isOwn({ headers: { host = '', origin } }: Call): boolean {
  return (
    LOOPBACK.test(host) && (origin === undefined || origin.toLowerCase() === `http://${host}`.toLowerCase())
  );
}

/** The route, refused to pages of other sites. */
export const guarded = (route: Route): Route => ({
  ...route,
  handle: (call) => (isOwn(call) ? route.handle(call) : controlError(403, NOT_OWN)),
});

const NOT_OWN =
  'The Host header must name this machine, and the Origin header must be the same. Use the address the sandbox printed.';

/** A control route. Invalid requests get 400 with one sentence. */
export function controlRoute(method: Route['method'], path: string, handle: (call: Call) => Handled): Route {
  return {
    method,
    path,
    async handle(call) {
      try {
        return await handle(call);
      } catch (error) {
        if (error instanceof ControlRequestIsInvalid) return controlError(400, error.message);
        throw error;
      }
    },
  };
}

export const controlError = (status: number, error: string): SandboxResponse => json(status, { error });
