import type { SandboxNetwork } from '../../outside-service.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import { type Caller, ContainerNetwork } from '../containers/container-network.js';
import { containerRoutes } from '../containers/container-routes.js';
import { containerService, containerSite } from '../containers/container-service.js';
import { codeRoute, tokenRoutes } from '../containers/tokens.js';
import { INSTAGRAM } from './instagram-dialect.js';

/** api.instagram.com, graph.instagram.com and www.instagram.com. */
export const sandboxInstagram: SandboxNetwork = (world) => {
  const instagram = new ContainerNetwork(world, INSTAGRAM);
  const api = { prefix: 'instagram-api', host: 'api', standsFor: 'api.instagram.com' };
  const graph = { prefix: 'instagram', host: 'graph', standsFor: 'graph.instagram.com' };
  const sites = [
    containerSite(instagram, api, [codeRoute(instagram, codeRefused)]),
    containerSite(instagram, graph, [
      ...tokenRoutes(instagram),
      ...containerRoutes(instagram, (caller) => profile(instagram, caller)),
    ]),
  ];
  return containerService(instagram, sites, '/p/:shortcode/');
};

/** Errors of api.instagram.com have a form of their own. */
const codeRefused = (message: string): SandboxResponse =>
  json(400, { error_type: 'OAuthException', code: 400, error_message: message });

/** `id` is known to one app only; publishing takes `user_id`. */
function profile(instagram: ContainerNetwork, { account }: Caller): Record<string, unknown> {
  return {
    id: (BigInt(account.id) / 3n).toString(),
    user_id: account.id,
    username: account.username,
    name: account.name,
    account_type: 'BUSINESS',
    profile_picture_url: instagram.baseUrl + instagram.avatarPath(account),
  };
}
