import { type Handled, type SandboxResponse, withHeaders } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import type { Route } from '../../../wire/router.js';
import { graphProblem } from '../../graph/graph-problems.js';
import { refusedToken } from '../../graph/refused-token.js';
import type { Caller as CallerOf } from '../../kit/network.js';
import type { Limit } from '../../kit/state/rate-windows.js';
import type { FacebookAccount } from '../state/facebook-accounts.js';
import { businessUsage, type Facebook } from '../state/facebook.js';

export type Caller = CallerOf<FacebookAccount>;

export interface SignedInRoute extends Omit<Route, 'handle'> {
  readonly handle: (call: Call, caller: Caller) => Handled;
}

/** A route for an access token, under the limits of the app and of the page. The headers state how much of them is used. */
export function signedIn(facebook: Facebook, { handle, ...route }: SignedInRoute): Route {
  return {
    ...route,
    async handle(call) {
      const caller = facebook.callerOf(call);
      if (!caller) return refusedToken(facebook.grants, call);
      const spent = spend(facebook, caller.account);
      return withHeaders(spent.refused ?? (await handle(call, caller)), spent.headers);
    },
  };
}

function spend(
  facebook: Facebook,
  { id, kind }: FacebookAccount,
): { refused?: SandboxResponse; headers: Record<string, string> } {
  const { appCallsPerHour, pageCallsPerDay, rateLimits } = facebook.settings;
  const app = usage(facebook, 'app', { limit: appCallsPerHour, windowSeconds: 3_600 });
  const page = usage(facebook, id, { limit: pageCallsPerDay, windowSeconds: 86_400 });
  const shares = { call_count: app.percent, total_cputime: 0, total_time: 0 };
  const headers: Record<string, string> = { 'x-app-usage': JSON.stringify(shares) };
  const isLimited = rateLimits === 'on';
  if (kind === 'page')
    headers['x-business-use-case-usage'] = businessUsage(page.percent, page.allowed ? 0 : page.minutes);
  if (isLimited && !app.allowed)
    return { headers, refused: graphProblem({ code: 4, message: '(#4) Application request limit reached' }) };
  if (isLimited && kind === 'page' && !page.allowed)
    return { headers, refused: graphProblem({ code: 32, message: '(#32) Page request limit reached' }) };
  return { headers };
}

function usage(facebook: Facebook, key: string, limit: Limit) {
  const { allowed, remaining, reset } = facebook.windows.take(key, limit);
  const used = limit.limit - remaining + (allowed ? 0 : 1);
  const percent = limit.limit === 0 ? 100 : Math.round((used / limit.limit) * 100);
  const minutes = Math.ceil((reset - facebook.clock.now().getTime() / 1000) / 60);
  return { allowed, percent, minutes };
}
