import type { Route } from '../../wire/router.js';
import { networkControlRoutes } from '../kit/control-routes.js';
import { oneOf } from '../kit/state/members.js';
import { SCOPES } from './oauth/scopes.js';
import type { X } from './state/x.js';
import { SUBSCRIPTIONS, USERNAME, USERNAME_IN_WORDS } from './state/x-accounts.js';
import { issueTokens } from './state/x-grants.js';
import { X_SETTINGS } from './state/x-settings.js';

const DEFAULT_SCOPES = ['tweet.read', 'users.read', 'tweet.write', 'media.write', 'offline.access'];

/** Control routes of X for tests: accounts with tokens, revoked tokens, other limits. */
export const xControlRoutes = (x: X): Route[] =>
  networkControlRoutes(x, {
    scopes: Object.keys(SCOPES),
    defaultScopes: DEFAULT_SCOPES,
    username: USERNAME,
    usernameInWords: USERNAME_IN_WORDS,
    accountMembers: { subscriptionType: oneOf(...SUBSCRIPTIONS), verified: oneOf(true, false) },
    settings: X_SETTINGS,
    issue: (account, scopes) => issueTokens(x.grants, account.id, scopes),
  });
