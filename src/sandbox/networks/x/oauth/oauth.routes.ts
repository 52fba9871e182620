import type { Route } from '../../../wire/router.js';
import type { X } from '../x.js';
import { decideAuthorization, showAuthorization } from './authorize.js';
import { exchangeToken, revokeToken } from './token.js';

/** On the API hosts. */
export function tokenRoutes(x: X): Route[] {
  return [
    { method: 'POST', path: '/2/oauth2/token', handle: (call) => exchangeToken(x, call) },
    { method: 'POST', path: '/2/oauth2/revoke', handle: (call) => revokeToken(x, call) },
  ];
}

/** On x.com, where a person is signed in. */
export function authorizeRoutes(x: X): Route[] {
  return [
    { method: 'GET', path: '/i/oauth2/authorize', handle: (call) => showAuthorization(x, call) },
    { method: 'POST', path: '/i/oauth2/authorize', handle: (call) => decideAuthorization(x, call) },
  ];
}
