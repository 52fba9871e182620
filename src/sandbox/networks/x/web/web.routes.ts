import type { SandboxResponse } from '../../../wire/response.js';
import { page, redirect } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import type { Route } from '../../../wire/router.js';
import { authorizeRoutes } from '../oauth/oauth.routes.js';
import type { X } from '../x.js';
import { avatar } from './avatar.js';
import { mediaFile } from './media-file.js';
import { nothingHerePage, postPage, timelinePage } from './timeline.page.js';

/** The pages of x.com that a person needs: consent, an account's timeline, one post. */
export function webRoutes(x: X): Route[] {
  return [
    ...authorizeRoutes(x),
    { method: 'GET', path: '/i/avatars/:file', handle: (call) => avatarOf(x, call) },
    { method: 'GET', path: '/i/media/:id', handle: (call) => mediaFile(x, call) ?? nothingHere() },
    { method: 'GET', path: '/i/web/status/:id', handle: (call) => toPost(x, call) },
    { method: 'GET', path: '/:username/status/:id', handle: (call) => showPost(x, call) },
    { method: 'GET', path: '/:username', handle: (call) => showTimeline(x, call) },
  ];
}

export const nothingHere = (): SandboxResponse => page(404, nothingHerePage());

function showTimeline(x: X, call: Call): SandboxResponse {
  const account = x.accounts.byUsername(call.params.username ?? '');
  return account ? page(200, timelinePage(x, account)) : nothingHere();
}

/** As on x.com the id decides; a wrong handle in the address is corrected. */
function showPost(x: X, call: Call): SandboxResponse {
  const post = x.posts.find(call.params.id ?? '');
  const account = post && x.accounts.find(post.authorId);
  if (!account) return nothingHere();
  if (account.username !== call.params.username) return toPost(x, call);
  return page(200, postPage(x, account, post));
}

function toPost(x: X, call: Call): SandboxResponse {
  const post = x.posts.find(call.params.id ?? '');
  const account = post && x.accounts.find(post.authorId);
  return account ? redirect(`/x-web/${account.username}/status/${post.id}`) : nothingHere();
}

function avatarOf(x: X, call: Call): SandboxResponse {
  const username = /^(\w{1,15})\.svg$/.exec(call.params.file ?? '')?.[1];
  const account = username === undefined ? undefined : x.accounts.byUsername(username);
  return account ? avatar(account) : nothingHere();
}
