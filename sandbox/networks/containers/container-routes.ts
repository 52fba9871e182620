import { json, type SandboxResponse } from '../../wire/response.js';
import type { Call } from '../../wire/call.js';
import type { Route } from '../../wire/router.js';
import type { Caller, ContainerNetwork } from './container-network.js';
import { graphProblem, permissionProblem } from '../graph/graph-problems.js';
import { createContainer } from './create-container.js';
import { listPosts, picked, readNode } from './nodes.js';
import { publishContainer } from './publish-container.js';
import { signedIn } from './signed-in.js';

/** The interface of an account. @param profile of the caller, by field */
export function containerRoutes(
  network: ContainerNetwork,
  profile: (caller: Caller) => Readonly<Record<string, unknown>>,
): Route[] {
  const { paths, lists } = network.dialect;
  return [
    signedIn(network, {
      method: 'GET',
      path: '/me',
      handle: (call, caller) => json(200, picked(call, profile(caller))),
    }),
    signedIn(network, {
      method: 'POST',
      path: `/:account/${paths.containers}`,
      publishes: true,
      handle: (call, caller) => createContainer(network, call, caller),
    }),
    signedIn(network, {
      method: 'POST',
      path: `/:account/${paths.publish}`,
      publishes: true,
      handle: (call, caller) => publishContainer(network, call, caller),
    }),
    signedIn(network, {
      method: 'GET',
      path: `/:account/${paths.quota}`,
      handle: (call, caller) => quota(network, call, caller),
    }),
    ...Object.keys(lists).map((list) => listRoute(network, list)),
    signedIn(network, {
      method: 'GET',
      path: '/:node',
      handle: (call, caller) => readNode(network, call, caller),
    }),
  ];
}

const listRoute = (network: ContainerNetwork, list: string): Route =>
  signedIn(network, {
    method: 'GET',
    path: `/:account/${list}`,
    handle: (call, caller) => listPosts(network, call, caller, list),
  });

/** Also needs the permission to publish (developers.facebook.com/documentation/threads/overview). */
function quota(network: ContainerNetwork, call: Call, { account, grant }: Caller): SandboxResponse {
  if (!grant.scopes.includes(network.dialect.publishScope)) return graphProblem(permissionProblem);
  const { quotaTotal } = network.settings;
  const node = {
    quota_usage: network.quotaUsage(account.id),
    config: { quota_total: quotaTotal, quota_duration: 86_400 },
  };
  return json(200, { data: [picked(call, node)] });
}
