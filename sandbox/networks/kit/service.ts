import type { AccountCard } from '../../control/index.page.js';
import type { OutsideService } from '../../outside-service.js';
import { type Route, Router } from '../../wire/router.js';
import type { Site } from '../../wire/site.js';
import { networkControlRoutes } from './control-routes.js';
import type { SocialNetwork } from './network.js';
import type { SandboxAccount } from './state/accounts.js';

/** The network as the sandbox runs it. @param controls further control routes than every network has */
export function networkService<A extends SandboxAccount>(
  network: SocialNetwork<A>,
  sites: readonly Site[],
  controls: readonly Route[] = [],
): OutsideService {
  return {
    sites,
    controlRoutes: [...controls, ...networkControlRoutes(network)],
    persistent: network.persistent,
    accountCards: () => [...network.accounts.all].map((account) => accountCard(network, account)),
    open(baseUrl) {
      network.baseUrl = baseUrl;
      network.accounts.seed();
    },
    clear: () => network.clear(),
  };
}

type Host = Pick<Site, 'prefix' | 'host' | 'standsFor'>;

/** A host of the API of a network, which faults may disturb. */
export const apiSite = (
  network: SocialNetwork,
  host: Host,
  routes: readonly Route[],
  refuse: Site['refuse'],
): Site => ({ ...host, router: new Router(routes), disturbable: network, refuse });

function accountCard(network: SocialNetwork, account: SandboxAccount): AccountCard {
  const posts = network.posts.by(account.id);
  return {
    network: network.displayName,
    name: account.name,
    username: account.username,
    avatar: network.avatarPath(account),
    timeline: `${network.webPath}/${account.username}`,
    posts: posts.length,
    lastPostAt: posts.at(-1)?.createdAt,
  };
}
