import { loadConfig } from '#libs/config';
import type { SandboxNetwork } from '../../outside-service.js';
import { networkService } from '../kit/service.js';
import { FacebookAppConfig } from './facebook-app.config.js';
import { facebookControlRoutes } from './facebook-control.routes.js';
import { facebookSites } from './facebook.sites.js';
import { Facebook } from './state/facebook.js';

export const sandboxFacebook: SandboxNetwork = {
  config: FacebookAppConfig,
  start(world) {
    const { appId: id, appSecret: secret } = loadConfig(FacebookAppConfig, world.environment);
    const facebook = new Facebook(world, { id, secret, redirectUris: world.redirectUris });
    const service = networkService(facebook, facebookSites(facebook), facebookControlRoutes(facebook));
    const isPage = (username: string) => facebook.accounts.byUsername(username)?.kind === 'page';
    return {
      ...service,
      /** Persons publish nothing. */
      accountCards: () => service.accountCards().filter(({ username }) => isPage(username)),
    };
  },
};
