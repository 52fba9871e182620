import type { EffectMedia } from '../../ledger/effect.js';
import type { Call } from '../../wire/call.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import { GraphCallIsRefused, parameterProblem } from '../graph/graph-problems.js';
import { type Container, type ContainerPost, stateOf } from './dialect.js';
import type { Caller, ContainerNetwork } from './container-network.js';

/** POST /{account}/media_publish, POST /{account}/threads_publish. A container is published once. */
export function publishContainer(
  network: ContainerNetwork,
  call: Call,
  caller: Caller,
): Promise<SandboxResponse> {
  const id = call.form.get('creation_id') ?? call.query.get('creation_id') ?? '';
  return network.uploads.inTurn(id, () => Promise.resolve(publish(network, call, caller, id)));
}

function publish(network: ContainerNetwork, call: Call, caller: Caller, id: string): SandboxResponse {
  const container = usable(network, caller, id);
  if (network.quotaUsage(caller.account.id) >= network.settings.quotaTotal && container.replyTo === null)
    throw new GraphCallIsRefused(network.dialect.quotaProblem);
  const post = postOf(network, container);
  const shown = [container, ...children(network, container)].filter(({ content }) => content !== null);
  const { text, inReplyTo, createdAt } = post;
  const { effect, line } = network.effect(call, caller, {
    kind: 'post.created',
    id: post.id,
    text,
    inReplyTo,
    at: createdAt,
    madeWithAi: post.madeWithAi === true,
    ...(shown.length > 0 && { media: shown.map(effectMediaOf) }),
  });
  network.uploads.change(id, { postId: post.id });
  for (const child of children(network, container)) network.uploads.change(child.id, { postId: post.id });
  network.posts.keep(post, line);
  return { ...json(200, { id: post.id }), effect };
}

function usable(network: ContainerNetwork, { account }: Caller, id: string): Container {
  const { dialect, settings } = network;
  const container = network.uploads.find(id);
  if (container?.accountId !== account.id) throw new GraphCallIsRefused(dialect.notFound(id));
  if (container.isItem)
    throw new GraphCallIsRefused(parameterProblem('Items of a carousel cannot be published by themselves.'));
  switch (stateOf(container, network.now, settings.containerLifeSeconds)) {
    case 'FINISHED':
      return container;
    case 'EXPIRED':
      throw new GraphCallIsRefused(dialect.expired(id));
    case 'PUBLISHED':
      throw new GraphCallIsRefused(dialect.notFound(id));
    case 'IN_PROGRESS':
    case 'ERROR':
      throw new GraphCallIsRefused(dialect.notReady(id));
  }
}

function postOf(network: ContainerNetwork, container: Container): ContainerPost {
  const id = network.ids.next();
  const { accountId: authorId, text, mediaType, replyTo: inReplyTo, link, notes, madeWithAi } = container;
  const shown = [container, ...children(network, container)].filter(({ content }) => content !== null);
  const parent = inReplyTo === null ? undefined : network.posts.find(inReplyTo);
  return {
    id,
    authorId,
    text,
    createdAt: network.clock.now().toISOString(),
    ...(shown.length > 0 && { mediaIds: shown.map((each) => each.id) }),
    mediaType,
    inReplyTo,
    rootId: parent?.rootId ?? id,
    link,
    notes,
    ...(madeWithAi && { madeWithAi }),
  };
}

const children = (network: ContainerNetwork, container: Container): Container[] =>
  container.children.flatMap((id) => network.uploads.find(id) ?? []);

function effectMediaOf({ mediaType, content, altText }: Container): EffectMedia {
  return { category: mediaType, bytes: 0, ...content, ...(altText !== null && { altText }) };
}
