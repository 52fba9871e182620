import type { Call } from '../../wire/call.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import { GraphCallIsRefused, parameterProblem } from '../graph/graph-problems.js';
import { type MediaContent, MediaIsRefused } from '../kit/media/media-content.js';
import { MediaIsNotFetched, fetchMedia } from '../kit/media/fetched-media.js';
import { readImage, readVideo } from '../kit/media/read-media.js';
import { type Container, type ContainerDraft, stateOf } from './dialect.js';
import type { Caller, ContainerNetwork } from './container-network.js';

/** POST /{account}/media, POST /{account}/threads. A picture is fetched now, a video after the answer. */
export async function createContainer(
  network: ContainerNetwork,
  call: Call,
  caller: Caller,
): Promise<SandboxResponse> {
  const draft = network.dialect.draftIn(call);
  mustHaveChildren(network, caller, draft);
  mustHaveParent(network, draft);
  const { id } = keep(network, caller, draft);
  if (draft.source?.kind === 'image') await loadImage(network, id, draft);
  const created = {
    kind: 'container.created',
    id,
    text: draft.text,
    inReplyTo: draft.replyTo,
  };
  const response = network.report(call, caller, created, json(200, { id }));
  if (draft.source?.kind === 'video') void network.uploads.inTurn(id, () => loadVideo(network, id, draft));
  return response;
}

function keep(network: ContainerNetwork, { account }: Caller, draft: ContainerDraft): Container {
  const { inProgressAnswers, containerError } = network.settings;
  return network.uploads.keep({
    ...draft,
    id: network.ids.next(),
    accountId: account.id,
    createdAt: network.now,
    content: null,
    error: containerError,
    pollsLeft: inProgressAnswers,
    postId: null,
  });
}

function mustHaveChildren(network: ContainerNetwork, { account }: Caller, draft: ContainerDraft): void {
  if (draft.mediaType !== 'CAROUSEL') return;
  const { min, max } = network.dialect.children;
  const children = draft.children.map((id) => network.uploads.find(id));
  const { containerLifeSeconds } = network.settings;
  const areUsable = children.every(
    (child) =>
      child?.isItem === true &&
      child.accountId === account.id &&
      stateOf(child, network.now, containerLifeSeconds) === 'FINISHED',
  );
  if (children.length >= min && children.length <= max && areUsable) return;
  const problem = parameterProblem(`children must be ${min} to ${max} processed containers of items.`);
  throw new GraphCallIsRefused({ ...problem, subcode: 2_207_028 });
}

function mustHaveParent(network: ContainerNetwork, { replyTo }: ContainerDraft): void {
  if (replyTo === null || network.posts.find(replyTo)) return;
  throw new GraphCallIsRefused(network.dialect.notFound(replyTo));
}

async function loadImage(network: ContainerNetwork, id: string, draft: ContainerDraft): Promise<void> {
  const { dialect, uploads } = network;
  const limits = dialect.image(draft.mediaType);
  try {
    const content = await load(network, id, draft, limits.maxBytes, (path) => readImage(path, limits));
    uploads.change(id, { content });
  } catch (error) {
    const container = uploads.find(id);
    if (container) uploads.remove(container);
    if (error instanceof MediaIsNotFetched && error.problem !== 'bytes')
      throw new GraphCallIsRefused(dialect.notFetched(error.problem));
    if (error instanceof MediaIsNotFetched) throw new GraphCallIsRefused(dialect.refusedImage('bytes'));
    if (error instanceof MediaIsRefused) throw new GraphCallIsRefused(dialect.refusedImage(error.problem));
    throw error;
  }
}

async function loadVideo(network: ContainerNetwork, id: string, draft: ContainerDraft): Promise<void> {
  const { dialect, uploads } = network;
  const limits = dialect.video(draft.mediaType);
  try {
    const content = await load(network, id, draft, limits.maxBytes, (path) => readVideo(path, limits));
    if (uploads.find(id)) uploads.change(id, { content });
  } catch (error) {
    const isKnown = error instanceof MediaIsNotFetched || error instanceof MediaIsRefused;
    if (uploads.find(id))
      uploads.change(id, { error: dialect.videoError(isKnown ? error.problem : 'unreadable') });
  }
}

async function load(
  network: ContainerNetwork,
  id: string,
  { source }: ContainerDraft,
  maxBytes: number,
  read: (path: string) => Promise<MediaContent>,
): Promise<MediaContent> {
  const path = network.files.path(network.fileName(id));
  await fetchMedia(source?.address ?? '', path, { maxBytes });
  return read(path);
}
