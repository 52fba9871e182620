import type { Route } from '../../../wire/router.js';
import type { Consent } from '../../kit/oauth/consent-dialect.js';
import { consentRoutes } from '../../kit/oauth/consent.js';
import { type LinkedInAccount, USERNAME, USERNAME_IN_WORDS } from '../state/linkedin-accounts.js';
import type { LinkedIn } from '../state/linkedin.js';
import { SCOPES } from './scopes.js';
import { exchangeToken, revokeToken } from './token.js';

const CONSENT: Consent<LinkedInAccount> = {
  path: '/oauth/v2/authorization',
  clientParameter: 'client_id',
  scopeSeparator: ' ',
  scopes: SCOPES,
  pkce: 'none',
  maxState: 500,
  extras: [],
  username: USERNAME,
  usernameInWords: USERNAME_IN_WORDS,
  denied: {
    error: 'user_cancelled_authorize',
    error_description: 'The user cancelled the authorization',
  },
  isSelectable: ({ kind }) => kind === 'member',
};

export const tokenRoutes = (linkedin: LinkedIn): Route[] => [
  ...consentRoutes(linkedin, CONSENT),
  { method: 'POST', path: '/oauth/v2/accessToken', handle: (call) => exchangeToken(linkedin, call) },
  { method: 'POST', path: '/oauth/v2/revoke', handle: (call) => revokeToken(linkedin, call) },
];
