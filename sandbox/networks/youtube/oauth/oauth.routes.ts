import type { Route } from '../../../wire/router.js';
import type { Consent } from '../../kit/oauth/consent-dialect.js';
import { consentRoutes } from '../../kit/oauth/consent.js';
import type { Youtube } from '../state/youtube.js';
import { HANDLE, HANDLE_IN_WORDS, type YoutubeAccount } from '../state/youtube-accounts.js';
import { SCOPES } from './scopes.js';
import { exchangeToken, revokeToken } from './token.js';

const CONSENT: Consent<YoutubeAccount> = {
  path: '/o/oauth2/v2/auth',
  clientParameter: 'client_id',
  scopeSeparator: ' ',
  scopes: SCOPES,
  pkce: 'optional',
  maxState: 2_000,
  extras: ['access_type', 'prompt', 'include_granted_scopes'],
  username: HANDLE,
  usernameInWords: HANDLE_IN_WORDS,
};

/** On oauth2.googleapis.com. */
export const tokenRoutes = (youtube: Youtube): Route[] => [
  { method: 'POST', path: '/token', handle: (call) => exchangeToken(youtube, call) },
  { method: 'POST', path: '/revoke', handle: (call) => revokeToken(youtube, call) },
];

/** On accounts.google.com; the form of the page is sent to the same path of the pages of YouTube. */
export const authorizeRoutes = (youtube: Youtube): Route[] => consentRoutes(youtube, CONSENT);
