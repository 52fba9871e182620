import {
  ControlRequestIsInvalid,
  controlBody,
  controlError,
  controlRoute,
} from '../../wire/control-request.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import type { Call } from '../../wire/call.js';
import type { Route } from '../../wire/router.js';
import type { SocialNetwork } from './network.js';
import type { NewAccount, SandboxAccount } from './state/accounts.js';
import { checksOf, type MemberChecks, membersOf, text } from './state/members.js';

type AccountAction<A extends SandboxAccount> = (
  account: A,
  body: Readonly<Record<string, unknown>>,
) => SandboxResponse;

/** Control routes of a network for tests: accounts with tokens, revoked tokens, settings. */
export function networkControlRoutes<A extends SandboxAccount, S extends object>(
  network: SocialNetwork<A, S>,
): Route[] {
  const base = `/${network.network}`;
  const on = (name: string, action: AccountAction<A>): Route =>
    controlRoute('POST', `${base}/accounts/:account/${name}`, (call) => onAccount(network, call, action));
  return [
    controlRoute('GET', `${base}/accounts`, () =>
      json(200, { data: [...network.accounts.all].map((account) => view(network, account)) }),
    ),
    controlRoute('POST', `${base}/accounts`, (call) => createAccount(network, controlBody(call))),
    on('expire-tokens', (account, body) => expireTokens(network, account, body)),
    on('revoke', (account, body) => revokeAll(network, account, body)),
    on('suspend', (account, { suspended = true }) =>
      json(200, view(network, changed(network, account, { suspended: suspended === true }))),
    ),
    controlRoute('GET', `${base}/settings`, () => json(200, network.settings)),
    controlRoute('PUT', `${base}/settings`, (call) => {
      const given = membersOf(checksOf(network.rules.settings), controlBody(call), 'a setting');
      network.settings = { ...network.settings, ...given };
      network.windows.clear();
      return json(200, network.settings);
    }),
  ];
}

const changed = <A extends SandboxAccount>(
  network: SocialNetwork<A>,
  account: A,
  changes: Partial<SandboxAccount>,
): A => network.accounts.change(account, changes as Partial<A>);

/** Of an account that exists already, only tokens are made. */
function createAccount<A extends SandboxAccount>(
  network: SocialNetwork<A>,
  body: Readonly<Record<string, unknown>>,
): SandboxResponse {
  const known = Object.keys(network.rules.scopes);
  const { scopes = network.rules.defaultScopes ?? known, ...draft } = body;
  if (!Array.isArray(scopes) || !scopes.every((scope) => known.includes(String(scope))))
    throw new ControlRequestIsInvalid(`scopes is a list of ${known.join(', ')}.`);
  const account = existingOrNew(network, draft);
  const { grant, accessToken, refreshToken } = network.issue(account, scopes as string[]);
  const seconds = Math.floor((grant.accessUntil - network.now) / 1000);
  const scope = grant.scopes.join(' ');
  return json(201, { ...view(network, account), accessToken, refreshToken, expiresIn: seconds, scope });
}

function existingOrNew<A extends SandboxAccount>(
  { accounts, rules }: SocialNetwork<A>,
  { username, ...draft }: Readonly<Record<string, unknown>>,
): A {
  if (typeof username !== 'string' || !rules.accounts.username.test(username))
    throw new ControlRequestIsInvalid(`username must have ${rules.accounts.usernameInWords}.`);
  const checks = { name: text, description: text, ...rules.accounts.members };
  const members = membersOf(checks as MemberChecks<object>, draft, 'a member of an account');
  return accounts.byUsername(username) ?? accounts.create({ username, ...members } as NewAccount<A>);
}

function onAccount<A extends SandboxAccount>(
  { accounts }: SocialNetwork<A>,
  call: Call,
  action: AccountAction<A>,
): SandboxResponse {
  const account = accounts.find(call.params.account ?? '');
  return account ? action(account, controlBody(call)) : controlError(404, 'No such account.');
}

function expireTokens(
  { grants }: SocialNetwork,
  account: SandboxAccount,
  { which = 'access' }: Readonly<Record<string, unknown>>,
): SandboxResponse {
  if (which !== 'access' && which !== 'refresh' && which !== 'both')
    throw new ControlRequestIsInvalid('which is access, refresh or both.');
  return json(200, { grants: grants.expire(account.id, which).length });
}

/** `reason` is the network's own, such as a changed password; without it the person withdrew the consent. */
function revokeAll(
  { grants }: SocialNetwork,
  account: SandboxAccount,
  { reason = 'revoked' }: Readonly<Record<string, unknown>>,
): SandboxResponse {
  text(reason, 'reason');
  const revoked = grants.of(account.id);
  for (const grant of revoked) grants.revoke(grant, reason as string);
  return json(200, { grants: revoked.length });
}

const view = (network: SocialNetwork, account: SandboxAccount): Record<string, unknown> => ({
  ...account,
  posts: network.posts.by(account.id).length,
  timeline: `${network.webUrl}/${account.username}`,
});
