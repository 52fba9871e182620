import { page, type SandboxResponse } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import type { Route } from '../../../wire/router.js';
import type { SocialNetwork } from '../network.js';
import type { SandboxAccount } from '../state/accounts.js';
import type { SandboxPost } from '../state/posts.js';
import { avatar } from './avatar.js';
import { mediaFile } from './media-file.js';
import type { Timeline } from './shown-post.js';
import { nothingHerePage, postPage, timelinePage } from './timeline.page.js';

/** `/i/avatars/{username}.svg`, `/i/media/{id}` and `/{username}`. A network adds the addresses of single posts before them. */
export function timelineRoutes<A extends SandboxAccount, P extends SandboxPost>(
  network: SocialNetwork<A, object, P>,
  timeline: Timeline<A, P>,
): Route[] {
  return [
    { method: 'GET', path: '/i/avatars/:file', handle: (call) => showAvatar(network, call) },
    { method: 'GET', path: '/i/media/:id', handle: (call) => showFile(network, timeline, call) },
    { method: 'GET', path: '/:username', handle: (call) => showTimeline(network, timeline, call) },
  ];
}

export const nothingHere = (network: SocialNetwork): SandboxResponse => page(404, nothingHerePage(network));

/** The page of one post with its thread. */
export function showPost<A extends SandboxAccount, P extends SandboxPost>(
  network: SocialNetwork<A, object, P>,
  timeline: Timeline<A, P>,
  post: P | undefined,
): SandboxResponse {
  const account = post && network.accounts.find(post.authorId);
  return account ? page(200, postPage(network, timeline, account, post)) : nothingHere(network);
}

function showTimeline<A extends SandboxAccount, P extends SandboxPost>(
  network: SocialNetwork<A, object, P>,
  timeline: Timeline<A, P>,
  call: Call,
): SandboxResponse {
  const account = network.accounts.byUsername((call.params.username ?? '').replace(/^@/, ''));
  return account ? page(200, timelinePage(network, timeline, account)) : nothingHere(network);
}

function showAvatar(network: SocialNetwork, call: Call): SandboxResponse {
  const username = /^(.+)\.svg$/.exec(call.params.file ?? '')?.[1];
  const account = username === undefined ? undefined : network.accounts.byUsername(username);
  return account ? avatar(account) : nothingHere(network);
}

function showFile<A extends SandboxAccount, P extends SandboxPost>(
  network: SocialNetwork<A, object, P>,
  timeline: Timeline<A, P>,
  call: Call,
): SandboxResponse {
  const file = timeline.file(call.params.id ?? '');
  return file ? mediaFile(file.path, file.content, call.headers.range) : nothingHere(network);
}
