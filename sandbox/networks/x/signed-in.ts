import type { Call } from '../../wire/call.js';
import { answered, type Handled, type SandboxResponse, withHeaders } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import type { Caller as CallerOf } from '../kit/network.js';
import type { Limit } from '../kit/state/rate-windows.js';
import { forbidden, tooManyRequests, unauthorized } from './problems.js';
import { APP_POST_LIMIT, appLimitHeaders, USER_LIMITS, userLimitHeaders } from './x-settings.js';
import type { X, XAccount } from './x.js';

export type Caller = CallerOf<XAccount>;

export type Handle = (x: X, call: Call, caller: Caller) => Handled;

const APP_LIMITED = 'POST /2/tweets';

/** A route for a user's access token, under that user's rate limit. Refused calls count against the limit too. */
export function signedIn(
  x: X,
  method: Route['method'],
  path: string,
  scopes: readonly string[],
  handle: Handle,
  maxBodyBytes?: number,
): Route {
  const name = `${method} ${path}`;
  return {
    method,
    path,
    maxBodyBytes,
    async handle(call) {
      const caller = call.bearerToken === null ? undefined : x.callerOf(call);
      if (!caller) return unauthorized();
      const spent = spend(x, name, caller.account.id);
      if (!spent.allowed) return tooManyRequests(spent.headers);
      const refused = refusedCaller(caller, scopes);
      return withHeaders(refused ?? (await answered(() => handle(x, call, caller))), spent.headers);
    },
  };
}

function refusedCaller({ account, grant }: Caller, scopes: readonly string[]): SandboxResponse | undefined {
  if (account.suspended) return forbidden('suspended');
  return scopes.every((scope) => grant.scopes.includes(scope)) ? undefined : forbidden('missing-scope');
}

/** With X's words for a body that is invalid. */
function spend(
  x: X,
  route: string,
  accountId: string,
): { allowed: boolean; headers: Record<string, string> } {
  if (x.settings.rateLimits === 'off') return { allowed: true, headers: {} };
  const user = x.windows.take(`${route} ${accountId}`, limitOf(x, route));
  const app = route === APP_LIMITED ? x.windows.take(route, APP_POST_LIMIT) : undefined;
  const headers = { ...userLimitHeaders(user), ...(app && appLimitHeaders(app)) };
  return { allowed: user.allowed && (app?.allowed ?? true), headers };
}

function limitOf(x: X, route: string): Limit {
  const usual = USER_LIMITS[route] ?? { limit: 900, windowSeconds: 900 };
  return { ...usual, limit: x.settings.limits[route] ?? usual.limit };
}
