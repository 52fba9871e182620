import { type Handled, withHeaders } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import type { Route } from '../../../wire/router.js';
import { forbidden, tooManyRequests, unauthorized } from '../state/problems.js';
import type { Caller as CallerOf } from '../../kit/network.js';
import type { Limit } from '../../kit/state/rate-windows.js';
import { APP_POST_LIMIT, USER_LIMITS, appLimitHeaders, userLimitHeaders } from '../state/rate-limits.js';
import type { X } from '../state/x.js';
import type { XAccount } from '../state/x-accounts.js';

export type Caller = CallerOf<XAccount>;

export interface SignedInRoute {
  readonly method: Route['method'];
  readonly path: string;
  readonly scopes: readonly string[];
  readonly maxBodyBytes?: number;
  readonly handle: (call: Call, caller: Caller) => Handled;
}

const APP_LIMITED = 'POST /2/tweets';

/** A route for a user's access token, under that user's rate limit. Refused calls count against the limit too. */
export function signedIn(x: X, { method, path, scopes, maxBodyBytes, handle }: SignedInRoute): Route {
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
      return withHeaders(await permitted(caller, scopes, () => handle(call, caller)), spent.headers);
    },
  };
}

function permitted({ account, grant }: Caller, scopes: readonly string[], handle: () => Handled): Handled {
  if (account.suspended) return forbidden('suspended');
  if (!scopes.every((scope) => grant.scopes.includes(scope))) return forbidden('missing-scope');
  return handle();
}

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
