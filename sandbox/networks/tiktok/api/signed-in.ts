import type { Call } from '../../../wire/call.js';
import type { Handled } from '../../../wire/response.js';
import type { Route } from '../../../wire/router.js';
import type { Caller as CallerOf } from '../../kit/network.js';
import type { TikTokAccount } from '../state/tiktok-accounts.js';
import { ROUTE_LIMITS } from '../state/tiktok-limits.js';
import type { TikTok } from '../state/tiktok.js';

export type Caller = CallerOf<TikTokAccount>;

export type Handle = (tiktok: TikTok, call: Call, caller: Caller) => Handled;

/** A route for a user's access token, under that user's rate limit. */
export function signedIn(
  tiktok: TikTok,
  method: Route['method'],
  path: string,
  scopes: readonly string[],
  handle: Handle,
): Route {
  const name = `${method} ${path}`;
  return {
    method,
    path,
    handle(call) {
      const caller = call.bearerToken === null ? undefined : tiktok.callerOf(call);
      if (!caller) return tiktok.error('access_token_invalid');
      if (isLimited(tiktok, name, caller)) return tiktok.error('rate_limit_exceeded');
      const isAllowed = scopes.some((scope) => caller.grant.scopes.includes(scope));
      return isAllowed ? handle(tiktok, call, caller) : tiktok.error('scope_not_authorized');
    },
  };
}

function isLimited({ windows, settings }: TikTok, route: string, { account }: Caller): boolean {
  const usual = ROUTE_LIMITS[route];
  if (!usual || settings.rateLimits === 'off') return false;
  const limit = { ...usual, limit: settings.limits[route] ?? usual.limit };
  return !windows.take(`${route} ${account.id}`, limit).allowed;
}
