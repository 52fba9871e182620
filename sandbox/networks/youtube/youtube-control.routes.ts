import type { Route } from '../../wire/router.js';
import { networkControlRoutes } from '../kit/control-routes.js';
import { flag } from '../kit/state/members.js';
import { SCOPES } from './oauth/scopes.js';
import { HANDLE, HANDLE_IN_WORDS } from './state/youtube-accounts.js';
import { YOUTUBE_SETTINGS } from './state/youtube-settings.js';
import type { Youtube } from './state/youtube.js';

/** Control routes of YouTube for tests: accounts with tokens, revoked tokens, other limits. */
export const youtubeControlRoutes = (youtube: Youtube): Route[] =>
  networkControlRoutes(youtube, {
    scopes: Object.keys(SCOPES),
    defaultScopes: [
      'https://www.googleapis.com/auth/youtube.upload',
      'https://www.googleapis.com/auth/youtube.readonly',
    ],
    username: HANDLE,
    usernameInWords: HANDLE_IN_WORDS,
    accountMembers: { hasChannel: flag },
    settings: YOUTUBE_SETTINGS,
    issue: ({ id }, scopes) => youtube.grants.issue({ accountId: id, scopes, refreshable: true }),
  });
