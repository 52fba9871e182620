import type { OutsideService } from '../../outside-service.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import { type Route, Router } from '../../wire/router.js';
import type { Site } from '../../wire/site.js';
import { graphProblem, nodeProblem, parameterProblem, serverProblem } from '../graph/graph-problems.js';
import { networkControlRoutes } from '../kit/control-routes.js';
import type { Consent } from '../kit/oauth/consent-dialect.js';
import { consentRoutes } from '../kit/oauth/consent.js';
import { networkService } from '../kit/service.js';
import { nothingHere } from '../kit/web/timeline.js';
import type { ContainerAccount, ContainerNetwork } from './container-network.js';
import { CONTAINER_SETTINGS } from './container-settings.js';
import { containerPages } from './container-timeline.js';
import { issueLong } from './tokens.js';

/** The rule for handles of Instagram, which Threads shares. */
const USERNAME = /^[A-Za-z0-9._]{1,30}$/;
const USERNAME_IN_WORDS = '1 to 30 letters, digits, dots or underscores';

/** @param postPath of the page of a post, with `:shortcode` */
export function containerService(
  network: ContainerNetwork,
  apiSites: readonly Site[],
  postPath: string,
): OutsideService {
  const { scopes } = network.dialect;
  const consent = consentOf(scopes);
  const web: Site = {
    prefix: network.webPrefix,
    host: 'web',
    standsFor: `${network.site}: consent and timelines`,
    router: new Router([...consentRoutes(network, consent), ...containerPages(network, postPath)]),
    refuse: (status) => (status === 404 ? nothingHere(network) : json(status, {})),
  };
  const controls = networkControlRoutes(network, {
    scopes: Object.keys(scopes),
    defaultScopes: Object.keys(scopes),
    username: USERNAME,
    usernameInWords: USERNAME_IN_WORDS,
    accountMembers: {},
    settings: CONTAINER_SETTINGS,
    issue: (account, granted) => issueLong(network, account.id, granted),
  });
  return networkService(network, [...apiSites, web], controls);
}

const consentOf = (scopes: Consent['scopes']): Consent<ContainerAccount> => ({
  path: '/oauth/authorize',
  clientParameter: 'client_id',
  scopeSeparator: ',',
  scopes,
  pkce: 'none',
  maxState: 2_000,
  extras: [],
  username: USERNAME,
  usernameInWords: USERNAME_IN_WORDS,
  codeSuffix: '#_',
  denied: {
    error: 'access_denied',
    error_reason: 'user_denied',
    error_description: 'The user denied your request.',
  },
});

export function apiSite(
  network: ContainerNetwork,
  { prefix, host, standsFor }: Pick<Site, 'prefix' | 'host' | 'standsFor'>,
  routes: readonly Route[],
): Site {
  return { prefix, host, standsFor, router: new Router(routes), disturbable: network, refuse };
}

function refuse(status: 404 | 413 | 500): SandboxResponse {
  if (status === 404) return graphProblem(nodeProblem('unknown'));
  return graphProblem(status === 413 ? parameterProblem('The request is too large.') : serverProblem(500));
}
