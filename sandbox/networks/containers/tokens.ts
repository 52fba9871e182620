import type { Call } from '../../wire/call.js';
import type { SandboxResponse } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import { graphProblem, parameterProblem, tokenProblem } from '../graph/graph-problems.js';
import { tokenResponse } from '../kit/oauth/token-routes.js';
import type { Grant, IssuedTokens } from '../kit/state/grants.js';
import { isSame } from '../kit/state/digests.js';
import type { ContainerNetwork } from './container-network.js';

/** A code becomes a token of an hour. @param refused the network's own form of an error of this route */
export function codeRoute(network: ContainerNetwork, refused: (message: string) => SandboxResponse): Route {
  return {
    method: 'POST',
    path: '/oauth/access_token',
    handle(call) {
      const { form } = call;
      if (form.get('client_id') !== network.client.id) return refused('Invalid platform app');
      if (!isOurs(network, form.get('client_secret'))) return refused('Error validating client secret.');
      if (form.get('grant_type') !== 'authorization_code') return refused('Invalid grant_type');
      const binding = network.codes.redeem(form.get('code') ?? '');
      if (!binding) return refused('This authorization code has been used');
      if (binding.redirectUri !== form.get('redirect_uri'))
        return refused('Error validating verification code. Please make sure your redirect_uri is identical');
      const { accountId, scopes } = binding;
      const issued = network.grants.issue({
        accountId,
        scopes,
        refreshable: false,
        details: { kind: 'short' },
      });
      return tokenResponse(shortToken(network, issued));
    },
  };
}

function shortToken(network: ContainerNetwork, { accessToken, grant }: IssuedTokens): unknown {
  const fields = { access_token: accessToken, user_id: grant.accountId, ...permissionsOf(network, grant) };
  const { settings } = network;
  return settings.tokenForm === 'list' ? { data: [fields] } : fields;
}

const permissionsOf = ({ dialect }: ContainerNetwork, { scopes }: Grant) =>
  dialect.namesPermissions ? { permissions: scopes.join(',') } : {};

/** A short token becomes a long one, and a long one a newer one. */
export function tokenRoutes(network: ContainerNetwork): Route[] {
  const { grantPrefix } = network.dialect;
  return [
    {
      method: 'GET',
      path: '/access_token',
      handle(call) {
        if (call.query.get('grant_type') !== `${grantPrefix}_exchange_token`)
          return graphProblem(parameterProblem('Invalid grant_type.'));
        if (!isOurs(network, call.query.get('client_secret')))
          return graphProblem({ message: 'Error validating client secret.', code: 1 });
        return exchanged(network, call, ({ details }) => details?.kind === 'short' || 'Session key invalid.');
      },
    },
    {
      method: 'GET',
      path: '/refresh_access_token',
      handle(call) {
        if (call.query.get('grant_type') !== `${grantPrefix}_refresh_token`)
          return graphProblem(parameterProblem('Invalid grant_type.'));
        return exchanged(network, call, (grant) => isRefreshable(network, grant));
      },
    },
  ];
}

function isRefreshable({ now, settings }: ContainerNetwork, { details }: Grant): true | string {
  if (details?.kind !== 'long') return 'Only long-lived tokens can be refreshed.';
  const age = now - Number(details.issuedAt);
  return age >= settings.refreshAfterSeconds * 1000 || 'The token is not old enough to be refreshed.';
}

function exchanged(
  network: ContainerNetwork,
  call: Call,
  mayBe: (grant: Grant) => true | string,
): SandboxResponse {
  const token = call.query.get('access_token') ?? '';
  const grant = network.grants.byAccessToken(token);
  if (!grant) return graphProblem(tokenProblem(network.grants.endOf(token) ?? 'unknown'));
  const answer = mayBe(grant);
  if (answer !== true) return graphProblem(parameterProblem(answer));
  const { accessToken } = network.issue({ id: grant.accountId }, grant.scopes);
  return tokenResponse({
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: network.settings.longTokenSeconds,
    ...permissionsOf(network, grant),
  });
}

function isOurs({ client }: ContainerNetwork, given: string | null): boolean {
  return given !== null && client.secret !== null && isSame(given, client.secret);
}
