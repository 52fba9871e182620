import type { Call } from '../../wire/call.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import { graphProblem, nodeProblem } from '../graph/graph-problems.js';
import { type Container, type ContainerPost, stateOf } from './container.js';
import type { Caller, ContainerAccount, ContainerNetwork } from './container-network.js';

const MAX_LISTED = 100;
const DEFAULT_LISTED = 25;

/** GET /{container} or GET /{post} */
export async function readNode(
  network: ContainerNetwork,
  call: Call,
  { account }: Caller,
): Promise<SandboxResponse> {
  const id = call.params.node ?? '';
  const post = network.posts.find(id);
  if (post?.authorId === account.id) return fields(call, viewOf(network, post, account));
  // A video that is still fetched is in the turn before.
  await network.containers.inTurn(id, () => Promise.resolve());
  const container = network.containers.find(id);
  if (container?.accountId !== account.id) return graphProblem(nodeProblem(id));
  return fields(call, asked(network, container));
}

/** Each question counts down the ones that find the container in progress. */
function asked(network: ContainerNetwork, container: Container): Readonly<Record<string, string>> {
  const state = stateOf(container, network.now, network.settings.containerLifeSeconds);
  if (state === 'IN_PROGRESS')
    network.containers.change(container.id, { pollsLeft: container.pollsLeft - 1 });
  return network.dialect.containerView(container, state);
}

/** Lists of posts, newest first. */
export function listPosts(
  network: ContainerNetwork,
  call: Call,
  { account }: Caller,
  list: string,
): SandboxResponse {
  const shows = network.dialect.lists[list] ?? (() => false);
  const limit = Math.min(Number(call.query.get('limit') ?? DEFAULT_LISTED) || DEFAULT_LISTED, MAX_LISTED);
  const posts = network.settings.lists === 'empty' ? [] : network.posts.by(account.id);
  const data = posts.filter(shows).slice(-limit).reverse();
  return json(200, { data: data.map((post) => picked(call, viewOf(network, post, account))) });
}

const viewOf = (network: ContainerNetwork, post: ContainerPost, { username }: ContainerAccount) => ({
  ...network.dialect.postView(post),
  permalink: network.webUrl + network.dialect.postPath(post, username),
});

const fields = (call: Call, node: Readonly<Record<string, unknown>>): SandboxResponse =>
  json(200, picked(call, node));

/** The fields that are asked for, and the id. */
export function picked(call: Call, node: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = ['id', ...(call.query.get('fields') ?? '').split(',').filter(Boolean)];
  return Object.fromEntries(
    names.filter((name) => node[name] !== undefined).map((name) => [name, node[name]]),
  );
}
