import type { SandboxNetwork } from '../../outside-service.js';
import { networkService } from '../kit/service.js';
import { facebookControlRoutes } from './facebook-control.routes.js';
import { facebookSites } from './facebook.sites.js';
import { Facebook } from './state/facebook.js';

export const sandboxFacebook: SandboxNetwork = (world) => {
  const facebook = new Facebook(world, world.client);
  const service = networkService(facebook, facebookSites(facebook), facebookControlRoutes(facebook));
  const isPage = (username: string) => facebook.accounts.byUsername(username)?.kind === 'page';
  return {
    ...service,
    /** Persons publish nothing. */
    accountCards: () => service.accountCards().filter(({ username }) => isPage(username)),
  };
};
