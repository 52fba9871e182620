import { json, type SandboxResponse } from '../../wire/response.js';
import { type Route, Router } from '../../wire/router.js';
import type { Site } from '../../wire/site.js';
import { nothingHere } from '../kit/web/timeline.js';
import { beginUpload, UPLOAD_PATH } from './api/begin-upload.js';
import { listChannels } from './api/channels.js';
import { googleError } from './state/google-errors.js';
import { receivePart } from './api/receive-part.js';
import { signedIn } from './api/signed-in.js';
import { authorizeRoutes, tokenRoutes } from './oauth/oauth.routes.js';
import { READ_SCOPES, UPLOAD_SCOPES } from './oauth/scopes.js';
import { webRoutes } from './web/web.routes.js';
import type { Youtube } from './state/youtube.js';

/** More than any part of a client that uploads in parts. */
const MAX_PART_BYTES = 1_100_000_000;

/** accounts.google.com, oauth2.googleapis.com, www.googleapis.com and youtube.com. */
export function youtubeSites(youtube: Youtube): Site[] {
  return [
    { ...site(youtube, 'google-oauth', 'oauth', 'oauth2.googleapis.com', tokenRoutes(youtube)) },
    { ...site(youtube, 'youtube', 'api', 'www.googleapis.com: YouTube', apiRoutes(youtube)) },
    web(youtube, 'google-accounts', 'accounts', 'accounts.google.com: consent', authorizeRoutes(youtube)),
    web(youtube, 'youtube-web', 'web', 'youtube.com: channels and videos', webRoutes(youtube)),
  ];
}

function apiRoutes(youtube: Youtube): Route[] {
  return [
    {
      method: 'GET',
      path: '/youtube/v3/channels',
      handle: signedIn(youtube, READ_SCOPES, (call, caller) => listChannels(youtube, call, caller)),
    },
    {
      method: 'POST',
      path: UPLOAD_PATH,
      handle: signedIn(youtube, UPLOAD_SCOPES, (call, caller) => beginUpload(youtube, call, caller)),
    },
    {
      method: 'PUT',
      path: UPLOAD_PATH,
      maxBodyBytes: MAX_PART_BYTES,
      isFile: true,
      handle: (call) => receivePart(youtube, call),
    },
  ];
}

function site(
  youtube: Youtube,
  prefix: string,
  host: string,
  standsFor: string,
  routes: readonly Route[],
): Site {
  return { prefix, host, standsFor, router: new Router(routes), disturbable: youtube, refuse };
}

function web(
  youtube: Youtube,
  prefix: string,
  host: string,
  standsFor: string,
  routes: readonly Route[],
): Site {
  const refuseOnPage = (status: 404 | 413 | 500) =>
    status === 404 ? nothingHere(youtube) : json(status, {});
  return { prefix, host, standsFor, router: new Router(routes), refuse: refuseOnPage };
}

const refuse = (status: 404 | 413 | 500): SandboxResponse =>
  googleError(status, status === 404 ? 'notFound' : 'backendError', { domain: 'global' });
