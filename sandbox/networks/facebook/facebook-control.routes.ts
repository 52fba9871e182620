import {
  controlBody,
  controlError,
  controlRoute,
  ControlRequestIsInvalid,
} from '../../wire/control-request.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import type { Call } from '../../wire/call.js';
import type { Route } from '../../wire/router.js';
import { callbackRoutes } from '../graph/callback-routes.js';
import { networkControlRoutes } from '../kit/control-routes.js';
import { listOf, oneOf, text } from '../kit/state/members.js';
import { SCOPES } from './api/scopes.js';
import { TASKS, USERNAME, USERNAME_IN_WORDS } from './state/facebook-accounts.js';
import { FACEBOOK_SETTINGS } from './state/facebook-settings.js';
import type { Facebook } from './state/facebook.js';

/** Control routes of Facebook for tests: persons with tokens, roles on pages, revoked consents, signed callbacks, settings. */
export const facebookControlRoutes = (facebook: Facebook): Route[] => [
  controlRoute('POST', '/facebook/accounts/:account/revoke', (call) => revoke(facebook, call)),
  controlRoute('PUT', '/facebook/pages/:page/tasks', (call) => setTasks(facebook, call)),
  ...callbackRoutes(facebook),
  ...networkControlRoutes(facebook, {
    scopes: Object.keys(SCOPES),
    defaultScopes: Object.keys(SCOPES),
    username: USERNAME,
    usernameInWords: USERNAME_IN_WORDS,
    accountMembers: { pages: listOf(text), kind: oneOf('person', 'page') },
    settings: FACEBOOK_SETTINGS,
    issue: (account, scopes) =>
      account.kind === 'person'
        ? facebook.personToken(account.id, scopes, 'long')
        : facebook.pageToken(account.id, Object.keys(account.tasks)[0] ?? '', scopes),
  }),
];

/** Of a person: everything they allowed ends. `reason` is revoked, password, checkpoint or expired. */
function revoke(facebook: Facebook, call: Call): SandboxResponse {
  const { reason = 'revoked' } = controlBody(call);
  text(reason, 'reason');
  const account = facebook.accounts.find(call.params.account ?? '');
  if (!account) return controlError(404, 'No such account.');
  const persons = account.kind === 'person' ? [account.id] : Object.keys(account.tasks);
  const grants = persons.map((id) => facebook.endConsent(id, reason as string));
  return json(200, { grants: grants.reduce((sum, each) => sum + each, 0) });
}

/** `{person, tasks}`; no tasks: the person is no admin any more. */
function setTasks(facebook: Facebook, call: Call): SandboxResponse {
  const { person: name, tasks = [] } = controlBody(call);
  listOf(oneOf(...TASKS))(tasks, 'tasks');
  const page = facebook.accounts.find(call.params.page ?? '');
  const person = typeof name === 'string' ? facebook.accounts.find(name) : undefined;
  if (page?.kind !== 'page' || person?.kind !== 'person')
    throw new ControlRequestIsInvalid('Name a page and a person.');
  return json(200, facebook.accounts.allow(page, person, tasks as string[]));
}
