import type { Call } from '../../wire/call.js';
import { answered, type Handled, json, type SandboxResponse, withHeaders } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import {
  graphProblem,
  type GraphProblem,
  nodeProblem,
  permissionProblem,
  refusedToken,
} from '../graph/graph-problems.js';
import type { Caller, ContainerAccount, ContainerNetwork } from './container-network.js';
import { createContainer } from './create-container.js';
import { type Container, type ContainerPost, stateOf } from './dialect.js';
import { publishContainer } from './publish-container.js';

const WAIT_MINUTES = 5;

type Handle = (network: ContainerNetwork, call: Call, caller: Caller) => Handled;

/** A route for the token of an account, named by `:account`; its answers state how much of the budget of calls is used. */
const signedIn = (
  network: ContainerNetwork,
  method: Route['method'],
  path: string,
  handle: Handle,
  publishes = false,
): Route => ({
  method,
  path: `/:version${path}`,
  async handle(call) {
    const caller = network.callerOf(call);
    if (!caller) return refusedToken(network.grants, call);
    const refused = refusal(network, call, caller, publishes);
    const answer = refused ? graphProblem(refused) : await answered(() => handle(network, call, caller));
    return withHeaders(answer, usage(network, caller));
  },
});

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

const MAX_LISTED = 100;
const DEFAULT_LISTED = 25;

/** GET /{container} or GET /{post} */
async function readNode(
  network: ContainerNetwork,
  call: Call,
  { account }: Caller,
): Promise<SandboxResponse> {
  const id = call.params.node ?? '';
  const post = network.posts.find(id);
  if (post?.authorId === account.id) return json(200, picked(call, viewOf(network, post, account)));
  // A video that is still fetched is in the turn before.
  await network.uploads.inTurn(id, () => Promise.resolve());
  const container = network.uploads.find(id);
  if (container?.accountId !== account.id) return graphProblem(nodeProblem(id));
  return json(200, picked(call, asked(network, container)));
}

/** Each question counts down the ones that find the container in progress. */
function asked(network: ContainerNetwork, container: Container): Readonly<Record<string, string>> {
  const state = stateOf(container, network.now, network.settings.containerLifeSeconds);
  if (state === 'IN_PROGRESS') network.uploads.change(container.id, { pollsLeft: container.pollsLeft - 1 });
  return network.dialect.containerView(container, state);
}

/** A list of posts, newest first. */
const listPosts =
  (shows: (post: ContainerPost) => boolean): Handle =>
  (network, call, { account }) => {
    const limit = Math.min(Number(call.query.get('limit') ?? DEFAULT_LISTED) || DEFAULT_LISTED, MAX_LISTED);
    const posts = network.settings.lists === 'empty' ? [] : network.posts.by(account.id);
    const data = posts.filter(shows).slice(-limit).reverse();
    return json(200, { data: data.map((post) => picked(call, viewOf(network, post, account))) });
  };

const viewOf = (network: ContainerNetwork, post: ContainerPost, { username }: ContainerAccount) => ({
  ...network.dialect.postView(post),
  permalink: network.webUrl + network.dialect.postPath(post, username),
});

/** The fields that are asked for, and the id. */
function picked(call: Call, node: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = ['id', ...(call.query.get('fields') ?? '').split(',').filter(Boolean)];
  return Object.fromEntries(
    names.filter((name) => node[name] !== undefined).map((name) => [name, node[name]]),
  );
}

/** The interface of an account. @param profile of the caller, by field */
export function containerRoutes(
  network: ContainerNetwork,
  profile: (caller: Caller) => Readonly<Record<string, unknown>>,
): Route[] {
  const { paths, lists } = network.dialect;
  return [
    signedIn(network, 'GET', '/me', (_, call, caller) => json(200, picked(call, profile(caller)))),
    signedIn(network, 'POST', `/:account/${paths.containers}`, createContainer, true),
    signedIn(network, 'POST', `/:account/${paths.publish}`, publishContainer, true),
    signedIn(network, 'GET', `/:account/${paths.quota}`, quota),
    ...Object.entries(lists).map(([list, shows]) =>
      signedIn(network, 'GET', `/:account/${list}`, listPosts(shows)),
    ),
    signedIn(network, 'GET', '/:node', readNode),
  ];
}

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
