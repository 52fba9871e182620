import type { SandboxNetwork } from '../../outside-service.js';
import { type Caller, ContainerNetwork } from '../containers/container-network.js';
import { containerRoutes } from '../containers/container-routes.js';
import { containerService, containerSite } from '../containers/container-service.js';
import { codeRoute, tokenRoutes } from '../containers/tokens.js';
import { graphProblem } from '../graph/graph-problems.js';
import { THREADS } from './threads-dialect.js';

/** graph.threads.net and www.threads.net. */
export const sandboxThreads: SandboxNetwork = (world) => {
  const threads = new ContainerNetwork(world, THREADS);
  const graph = { prefix: 'threads', host: 'graph', standsFor: 'graph.threads.net' };
  const site = containerSite(threads, graph, [
    codeRoute(threads, (message) => graphProblem({ message, code: 100 })),
    ...tokenRoutes(threads),
    ...containerRoutes(threads, (caller) => profile(threads, caller)),
  ]);
  return containerService(threads, [site], '/:username/post/:shortcode');
};

function profile(threads: ContainerNetwork, { account }: Caller): Record<string, unknown> {
  return {
    id: account.id,
    username: account.username,
    name: account.name,
    threads_profile_picture_url: threads.baseUrl + threads.avatarPath(account),
    threads_biography: account.description,
  };
}
