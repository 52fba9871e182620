import { loadConfig } from '#libs/config';
import type { AccountCard } from '../../control/index.page.js';
import type { OutsideService, SandboxNetwork } from '../../outside-service.js';
import { XAppConfig } from './x-app.config.js';
import { xControlRoutes } from './x-control.routes.js';
import { xSites } from './x.sites.js';
import { X } from './x.js';

export const sandboxX: SandboxNetwork = {
  config: XAppConfig,
  start({ environment, clock, ledger, journal, files, redirectUris, capacity }) {
    const { clientId: id, clientType, clientSecret } = loadConfig(XAppConfig, environment);
    const secret = clientType === 'public' ? null : clientSecret;
    return xService(new X(clock, { id, secret, redirectUris }, ledger, journal, files, capacity));
  },
};

/** The network X as the sandbox runs it. */
function xService(x: X): OutsideService {
  return {
    sites: xSites(x),
    controlRoutes: xControlRoutes(x),
    persistent: x.persistent,
    accountCards: () => accountCards(x),
    open(baseUrl) {
      x.baseUrl = baseUrl;
      x.seed();
    },
    clear: () => x.clear(),
  };
}

function accountCards(x: X): AccountCard[] {
  return [...x.accounts.all].map(({ id, name, username }) => {
    const posts = x.posts.by(id);
    return {
      network: 'X',
      name,
      username,
      avatar: `/x-web/i/avatars/${username}.svg`,
      timeline: `/x-web/${username}`,
      posts: posts.length,
      lastPostAt: posts.at(-1)?.createdAt,
    };
  });
}
