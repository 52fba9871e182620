import {
  ControlRequestIsInvalid,
  controlBody,
  controlError,
  controlRoute,
} from '../../wire/control-request.js';
import type { SandboxResponse } from '../../wire/response.js';
import { json } from '../../wire/response.js';
import type { Call } from '../../wire/call.js';
import type { Route } from '../../wire/router.js';
import { SCOPES } from './oauth/authorization-request.js';
import { rememberGrants, tokenResponse } from './oauth/token.js';
import { USER_LIMITS } from './rate-limits.js';
import type { X } from './x.js';
import type { NewXAccount, XAccount } from './x-accounts.js';
import { USERNAME } from './x-accounts.js';
import { parseSettings } from './x-settings.js';

const DEFAULT_SCOPES = ['tweet.read', 'users.read', 'tweet.write', 'media.write', 'offline.access'];
const SUBSCRIPTIONS = ['None', 'Basic', 'Premium', 'PremiumPlus'];

/** Control routes of X for tests: accounts with tokens, revoked tokens, other limits. */
export function xControlRoutes(x: X): Route[] {
  return [
    controlRoute('GET', '/x/accounts', () =>
      json(200, { data: [...x.accounts.all].map((account) => view(x, account)) }),
    ),
    controlRoute('POST', '/x/accounts', (call) => createAccount(x, controlBody(call))),
    controlRoute('POST', '/x/accounts/:account/expire-tokens', (call) => onAccount(x, call, expireTokens)),
    controlRoute('POST', '/x/accounts/:account/revoke', (call) => onAccount(x, call, revokeAll)),
    controlRoute('POST', '/x/accounts/:account/suspend', (call) => onAccount(x, call, suspend)),
    controlRoute('GET', '/x/settings', () => json(200, x.settings)),
    controlRoute('PUT', '/x/settings', (call) => {
      x.settings = parseSettings(controlBody(call), x.settings, Object.keys(USER_LIMITS));
      x.windows.clear();
      return json(200, x.settings);
    }),
  ];
}

/** Of an account that exists already, only tokens are made. */
function createAccount(x: X, body: Record<string, unknown>): SandboxResponse {
  const { scopes = DEFAULT_SCOPES, ...draft } = body;
  if (!Array.isArray(scopes) || !scopes.every((scope) => Object.hasOwn(SCOPES, String(scope)))) {
    throw new ControlRequestIsInvalid(`scopes is a list of ${Object.keys(SCOPES).join(', ')}.`);
  }
  const account = existingOrNew(x, draft);
  const tokens = x.grants.issue(account.id, scopes as string[]);
  rememberGrants(x, tokens.grant);
  const { access_token, refresh_token, expires_in, scope } = tokenResponse(tokens);
  const given = {
    accessToken: access_token,
    refreshToken: refresh_token ?? null,
    expiresIn: expires_in,
    scope,
  };
  return json(201, { ...view(x, account), ...given });
}

function existingOrNew(x: X, draft: Record<string, unknown>): XAccount {
  const { username, name, description, subscriptionType, verified, ...others } = draft;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new ControlRequestIsInvalid(`${unknown} is not a member of an account.`);
  if (typeof username !== 'string' || !USERNAME.test(username)) {
    throw new ControlRequestIsInvalid('username must have 1 to 15 letters, digits or underscores.');
  }
  const known = x.accounts.byUsername(username);
  if (known) return known;
  const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';
  if (!isText(name) || !isText(description))
    throw new ControlRequestIsInvalid('name and description are texts.');
  if (subscriptionType !== undefined && !SUBSCRIPTIONS.includes(subscriptionType as string)) {
    throw new ControlRequestIsInvalid(`subscriptionType is one of ${SUBSCRIPTIONS.join(', ')}.`);
  }
  const given = Object.entries({
    username,
    name,
    description,
    subscriptionType,
    verified: verified === true,
  });
  const account = x.accounts.create(
    Object.fromEntries(given.filter(([, value]) => value !== undefined)) as unknown as NewXAccount,
  );
  x.remember(account);
  return account;
}

type AccountAction = (x: X, account: XAccount, body: Record<string, unknown>) => SandboxResponse;

function onAccount(x: X, call: Call, action: AccountAction): SandboxResponse {
  const account = x.accounts.find(call.params.account ?? '');
  return account ? action(x, account, controlBody(call)) : controlError(404, 'No such account.');
}

const expireTokens: AccountAction = (x, account, { which = 'access' }) => {
  if (which !== 'access' && which !== 'refresh' && which !== 'both') {
    throw new ControlRequestIsInvalid('which is access, refresh or both.');
  }
  const expired = x.grants.expire(account.id, which);
  rememberGrants(x, ...expired);
  return json(200, { grants: expired.length });
};

const revokeAll: AccountAction = (x, account) => {
  const grants = x.grants.of(account.id);
  for (const grant of grants) x.grants.revoke(grant);
  x.journal.append(...grants.map(({ id }) => ({ kind: 'x.grant.revoked', id })));
  return json(200, { grants: grants.length });
};

const suspend: AccountAction = (x, account, { suspended = true }) => {
  const changed = x.accounts.change(account, { suspended: suspended === true });
  x.remember(changed);
  return json(200, view(x, changed));
};

const view = (x: X, account: XAccount): Record<string, unknown> => ({
  ...account,
  posts: x.posts.by(account.id).length,
  timeline: `${x.webUrl}/${account.username}`,
});
