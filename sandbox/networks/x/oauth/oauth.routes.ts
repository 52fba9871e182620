import type { Route } from '../../../wire/router.js';
import type { Consent } from '../../kit/oauth/consent-dialect.js';
import { consentRoutes } from '../../kit/oauth/consent.js';
import type { X } from '../state/x.js';
import { USERNAME, USERNAME_IN_WORDS } from '../state/x-accounts.js';
import { SCOPES } from './scopes.js';
import { exchangeToken, revokeToken } from './token.js';

const CONSENT: Consent = {
  path: '/i/oauth2/authorize',
  clientParameter: 'client_id',
  scopeSeparator: ' ',
  scopes: SCOPES,
  pkce: 'required',
  maxState: 500,
  extras: [],
  username: USERNAME,
  usernameInWords: USERNAME_IN_WORDS,
};

/** On the API hosts. */
export function tokenRoutes(x: X): Route[] {
  return [
    { method: 'POST', path: '/2/oauth2/token', handle: (call) => exchangeToken(x, call) },
    { method: 'POST', path: '/2/oauth2/revoke', handle: (call) => revokeToken(x, call) },
  ];
}

/** On x.com, where a person is signed in. */
export const authorizeRoutes = (x: X): Route[] => consentRoutes(x, CONSENT);
