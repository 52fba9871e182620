import { redirect, type SandboxResponse } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import type { Route } from '../../../wire/router.js';
import { nothingHere, showPost, timelineRoutes } from '../../kit/web/timeline.js';
import { authorizeRoutes } from '../oauth/oauth.routes.js';
import type { X } from '../state/x.js';
import { xTimeline } from './x-timeline.js';

/** The pages of x.com that a person needs: consent, an account's timeline, one post. */
export function webRoutes(x: X): Route[] {
  return [
    ...authorizeRoutes(x),
    { method: 'GET', path: '/i/web/status/:id', handle: (call) => toPost(x, call) },
    { method: 'GET', path: '/:username/status/:id', handle: (call) => showStatus(x, call) },
    ...timelineRoutes(x, xTimeline(x)),
  ];
}

/** As on x.com the id decides; a wrong handle in the address is corrected. */
function showStatus(x: X, call: Call): SandboxResponse {
  const post = x.posts.find(call.params.id ?? '');
  const account = post && x.accounts.find(post.authorId);
  if (account && account.username !== call.params.username) return toPost(x, call);
  return showPost(x, xTimeline(x), post);
}

function toPost(x: X, call: Call): SandboxResponse {
  const post = x.posts.find(call.params.id ?? '');
  const account = post && x.accounts.find(post.authorId);
  return account ? redirect(`${x.webPath}/${account.username}/status/${post.id}`) : nothingHere(x);
}
