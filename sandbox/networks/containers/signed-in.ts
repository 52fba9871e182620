import type { Call } from '../../wire/call.js';
import { type Handled, type SandboxResponse, withHeaders } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import { graphProblem, type GraphProblem, nodeProblem, permissionProblem } from '../graph/graph-problems.js';
import { refusedToken } from '../graph/refused-token.js';
import type { Caller, ContainerNetwork } from './container-network.js';
import { ContainerIsRefused } from './dialect.js';

const WAIT_MINUTES = 5;

export interface SignedInRoute {
  readonly method: 'GET' | 'POST';
  /** Below the version. `:account` is the caller's own. */
  readonly path: string;
  readonly publishes?: boolean;
  readonly handle: (call: Call, caller: Caller) => Handled;
}

/** A route for the token of an account; its answers state how much of the budget of calls is used. */
export function signedIn(
  network: ContainerNetwork,
  { method, path, publishes, handle }: SignedInRoute,
): Route {
  return {
    method,
    path: `/:version${path}`,
    async handle(call) {
      const caller = network.callerOf(call);
      if (!caller) return refusedToken(network.grants, call);
      const refused = refusal(network, call, caller, publishes === true);
      const answer = refused ? graphProblem(refused) : await handled(() => handle(call, caller));
      return withHeaders(answer, usage(network, caller));
    },
  };
}

async function handled(handle: () => Handled): Promise<SandboxResponse> {
  try {
    return await handle();
  } catch (error) {
    if (error instanceof ContainerIsRefused) return graphProblem(error.problem);
    throw error;
  }
}

function refusal(
  network: ContainerNetwork,
  { params }: Call,
  { account, grant }: Caller,
  publishes: boolean,
): GraphProblem | undefined {
  if (network.settings.usagePercent > 100)
    return { message: '(#80002) There have been too many calls to this account.', code: 80_002 };
  if (params.account !== undefined && params.account !== account.id && params.account !== 'me')
    return nodeProblem(params.account);
  if (!publishes) return undefined;
  if (!grant.scopes.includes(network.dialect.publishScope)) return permissionProblem;
  return account.suspended ? network.dialect.suspendedProblem : undefined;
}

function usage({ settings, dialect }: ContainerNetwork, { account }: Caller): Record<string, string> {
  const percent = settings.usagePercent;
  const minutes = percent > 100 ? WAIT_MINUTES : 0;
  const stated = {
    type: dialect.network,
    call_count: percent,
    total_cputime: 1,
    total_time: 1,
    estimated_time_to_regain_access: minutes,
  };
  return { 'x-business-use-case-usage': JSON.stringify({ [account.id]: [stated] }) };
}
