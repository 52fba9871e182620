import type { SandboxNetwork } from '../../outside-service.js';
import type { Call } from '../../wire/call.js';
import {
  controlBody,
  controlError,
  ControlRequestIsInvalid,
  controlRoute,
} from '../../wire/control-request.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import { callbackRoutes } from '../graph/callback-routes.js';
import { apiSite, networkService } from '../kit/service.js';
import { webSite } from '../kit/web/timeline.js';
import { listOf, oneOf, text } from '../kit/state/members.js';
import { TASKS } from './facebook-records.js';
import { Facebook } from './facebook.js';
import { feed, object } from './feed.js';
import { accessToken, endPermissions, me, pages } from './people.js';
import { createPhoto } from './photos.js';
import { createPost } from './posts.js';
import { type Handle, onPage, signedIn } from './signed-in.js';
import { MAX_VIDEO_BYTES } from './video-state.js';
import { MAX_TRANSFER_BYTES, reels, uploadReel, videos } from './videos.js';
import { webRoutes } from './web.routes.js';

/** graph.facebook.com */
function apiRoutes(facebook: Facebook): Route[] {
  const route = (method: Route['method'], path: string, handle: Handle): Route =>
    signedIn(facebook, method, `/:version${path}`, handle);
  return [
    ...(['GET', 'POST'] as const).map((method): Route => ({
      method,
      path: '/:version/oauth/access_token',
      handle: (call) => accessToken(facebook, call),
    })),
    { method: 'DELETE', path: '/:version/:id/permissions', handle: (call) => endPermissions(facebook, call) },
    route('GET', '/me', me),
    route('GET', '/me/accounts', pages),
    route('GET', '/:page/feed', onPage(feed)),
    route('POST', '/:page/feed', onPage(createPost)),
    route('POST', '/:page/photos', onPage(createPhoto)),
    route('POST', '/:page/video_reels', onPage(reels)),
    videoRoute(facebook),
    route('GET', '/:id', object),
  ];
}

/** graph-video.facebook.com, and graph.facebook.com too. */
const videoRoute = (facebook: Facebook): Route =>
  signedIn(facebook, 'POST', '/:version/:page/videos', onPage(videos), { maxBodyBytes: MAX_TRANSFER_BYTES });

/** rupload.facebook.com */
const uploadRoute = (facebook: Facebook): Route =>
  signedIn(facebook, 'POST', '/video-upload/:version/:id', uploadReel, {
    isFile: true,
    maxBodyBytes: MAX_VIDEO_BYTES,
  });

const refuse = (status: 404 | 413 | 500) =>
  json(status === 404 ? 400 : status, {
    error: {
      message: status === 404 ? 'Unknown path components' : 'An unknown error has occurred.',
      type: 'OAuthException',
      code: status === 404 ? 2500 : 1,
    },
  });

/** For tests: roles on pages, revoked consents, signed callbacks. */
const controlRoutes = (facebook: Facebook): Route[] => [
  controlRoute('POST', '/facebook/accounts/:account/revoke', (call) => revoke(facebook, call)),
  controlRoute('PUT', '/facebook/pages/:page/tasks', (call) => setTasks(facebook, call)),
  ...callbackRoutes(facebook),
];

/** Of a person: everything they allowed ends. `reason` is revoked, password, checkpoint or expired. */
function revoke(facebook: Facebook, call: Call): SandboxResponse {
  const { reason = 'revoked' } = controlBody(call);
  text(reason, 'reason');
  const account = facebook.accounts.find(call.params.account ?? '');
  if (!account) return controlError(404, 'No such account.');
  const persons = account.kind === 'person' ? [account.id] : Object.keys(account.tasks);
  const grants = persons.map((id) => facebook.endConsent(id, reason as string));
  return json(200, { grants: grants.reduce((sum, each) => sum + each, 0) });
}

/** `{person, tasks}`; no tasks: the person is no admin any more. */
function setTasks(facebook: Facebook, call: Call): SandboxResponse {
  const { person: name, tasks = [] } = controlBody(call);
  listOf(oneOf(...TASKS))(tasks, 'tasks');
  const page = facebook.accounts.find(call.params.page ?? '');
  const person = typeof name === 'string' ? facebook.accounts.find(name) : undefined;
  if (page?.kind !== 'page' || person?.kind !== 'person')
    throw new ControlRequestIsInvalid('Name a page and a person.');
  return json(200, facebook.accounts.allow(page, person, tasks as string[]));
}

/** graph.facebook.com, graph-video.facebook.com, rupload.facebook.com and www.facebook.com. */
export const sandboxFacebook: SandboxNetwork = (world) => {
  const facebook = new Facebook(world);
  const site = (prefix: string, host: string, routes: readonly Route[]) =>
    apiSite(facebook, { prefix, host, standsFor: `${host}.facebook.com` }, routes, refuse);
  const sites = [
    site('facebook', 'graph', apiRoutes(facebook)),
    site('facebook-video', 'graph-video', [videoRoute(facebook)]),
    site('facebook-upload', 'rupload', [uploadRoute(facebook)]),
    webSite(facebook, 'www.facebook.com: consent and timelines', webRoutes(facebook)),
  ];
  const service = networkService(facebook, sites, controlRoutes(facebook));
  const isPage = (username: string) => facebook.accounts.byUsername(username)?.kind === 'page';
  return {
    ...service,
    /** Persons publish nothing. */
    accountCards: () => service.accountCards().filter(({ username }) => isPage(username)),
  };
};
