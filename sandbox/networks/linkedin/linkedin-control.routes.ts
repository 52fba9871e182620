import type { Route } from '../../wire/router.js';
import { networkControlRoutes } from '../kit/control-routes.js';
import { listOf, oneOf, text } from '../kit/state/members.js';
import { USERNAME, USERNAME_IN_WORDS } from './state/linkedin-accounts.js';
import { LINKEDIN_SETTINGS } from './state/linkedin-settings.js';
import type { LinkedIn } from './state/linkedin.js';
import { SCOPES } from './oauth/scopes.js';

/** Control routes of LinkedIn for tests: members and organizations, tokens, settings. */
export const linkedInControlRoutes = (linkedin: LinkedIn): Route[] =>
  networkControlRoutes(linkedin, {
    scopes: Object.keys(SCOPES),
    defaultScopes: Object.keys(SCOPES),
    username: USERNAME,
    usernameInWords: USERNAME_IN_WORDS,
    accountMembers: { kind: oneOf('member', 'organization'), roles: listOf(text) },
    settings: LINKEDIN_SETTINGS,
    issue: (account, scopes) => linkedin.issue(account.id, scopes),
  });
