import type { Call } from '../../wire/call.js';
import { answered, type Handled, withHeaders } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import {
  GraphCallIsRefused,
  graphProblem,
  nodeProblem,
  refusedToken,
  type GraphProblem,
} from '../graph/graph-problems.js';
import type { Caller as CallerOf } from '../kit/network.js';
import type { Limit } from '../kit/state/rate-windows.js';
import type { FacebookAccount } from './facebook-records.js';
import { businessUsage, type Facebook } from './facebook.js';

export type Caller = CallerOf<FacebookAccount>;

export type Handle = (facebook: Facebook, call: Call, caller: Caller) => Handled;
/** Of a route of a page, with the page. */
export type PageHandle = (facebook: Facebook, call: Call, caller: Caller, page: FacebookAccount) => Handled;

/** A route for an access token, under the limits of the app and of the page. The headers state how much of them is used. */
export function signedIn(
  facebook: Facebook,
  method: Route['method'],
  path: string,
  handle: Handle,
  body: Pick<Route, 'isFile' | 'maxBodyBytes'> = {},
): Route {
  return {
    method,
    path,
    ...body,
    async handle(call) {
      const caller = facebook.callerOf(call);
      if (!caller) return refusedToken(facebook.grants, call);
      const { refused, headers } = spend(facebook, caller.account);
      const answer = refused ? graphProblem(refused) : await answered(() => handle(facebook, call, caller));
      return withHeaders(answer, headers);
    },
  };
}

/** For the page that the path names. */
export const onPage =
  (handle: PageHandle): Handle =>
  (facebook, call, caller) =>
    handle(facebook, call, caller, ownPage(facebook, call.params.page ?? '', caller));

function spend(
  facebook: Facebook,
  { id, kind }: FacebookAccount,
): { refused?: GraphProblem; headers: Record<string, string> } {
  const { appCallsPerHour, pageCallsPerDay, rateLimits } = facebook.settings;
  const app = usage(facebook, 'app', { limit: appCallsPerHour, windowSeconds: 3_600 });
  const page = usage(facebook, id, { limit: pageCallsPerDay, windowSeconds: 86_400 });
  const shares = { call_count: app.percent, total_cputime: 0, total_time: 0 };
  const headers: Record<string, string> = { 'x-app-usage': JSON.stringify(shares) };
  const isLimited = rateLimits === 'on';
  if (kind === 'page')
    headers['x-business-use-case-usage'] = businessUsage(page.percent, page.allowed ? 0 : page.minutes);
  if (isLimited && !app.allowed)
    return { headers, refused: { code: 4, message: '(#4) Application request limit reached' } };
  if (isLimited && kind === 'page' && !page.allowed)
    return { headers, refused: { code: 32, message: '(#32) Page request limit reached' } };
  return { headers };
}

function usage(facebook: Facebook, key: string, limit: Limit) {
  const { allowed, remaining, reset } = facebook.windows.take(key, limit);
  const used = limit.limit - remaining + (allowed ? 0 : 1);
  const percent = limit.limit === 0 ? 100 : Math.round((used / limit.limit) * 100);
  const minutes = Math.ceil((reset - facebook.now / 1000) / 60);
  return { allowed, percent, minutes };
}

/** The page that the token publishes as. @throws GraphCallIsRefused */
export function ownPage(facebook: Facebook, pageId: string, { account, grant }: Caller): FacebookAccount {
  const page = facebook.accounts.find(account.id);
  if (page?.kind !== 'page' || page.id !== pageId) throw new GraphCallIsRefused(nodeProblem(pageId));
  const tasks = page.tasks[grant.details?.person ?? ''] ?? [];
  if (tasks.length === 0)
    throw new GraphCallIsRefused({
      code: 190,
      subcode: 492,
      message: 'The user must be an administrator of the page in order to impersonate it.',
    });
  if (!grant.scopes.includes('pages_manage_posts') || !tasks.includes('CREATE_CONTENT'))
    throw new GraphCallIsRefused({ code: 200, status: 403, message: '(#200) Permissions error' });
  if (page.suspended)
    throw new GraphCallIsRefused({
      code: 368,
      message: 'The action attempted has been deemed abusive or is otherwise disallowed',
    });
  return page;
}
