import type { SandboxNetwork } from '../../outside-service.js';
import type { SandboxResponse } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import { consentRoutes } from '../kit/oauth/consent.js';
import { tokenRoutes } from '../kit/oauth/token-routes.js';
import { apiSite, networkService } from '../kit/service.js';
import { webSite } from '../kit/web/timeline.js';
import { beginUpload, UPLOAD_PATH } from './begin-upload.js';
import { listChannels, signedIn } from './channels.js';
import { googleError } from './google-errors.js';
import { CONSENT, tokenDialect } from './oauth.js';
import { receivePart } from './receive-part.js';
import { webRoutes } from './web.routes.js';
import { Youtube } from './youtube.js';

/** More than any part of a client that uploads in parts. */
const MAX_PART_BYTES = 1_100_000_000;

const apiRoutes = (youtube: Youtube): Route[] => [
  signedIn(youtube, 'GET', '/youtube/v3/channels', 'youtube.readonly', listChannels),
  signedIn(youtube, 'POST', UPLOAD_PATH, 'youtube.upload', beginUpload),
  {
    method: 'PUT',
    path: UPLOAD_PATH,
    maxBodyBytes: MAX_PART_BYTES,
    isFile: true,
    handle: (call) => receivePart(youtube, call),
  },
];

const refuse = (status: 404 | 413 | 500): SandboxResponse =>
  googleError(status, status === 404 ? 'notFound' : 'backendError', { domain: 'global' });

/** accounts.google.com, oauth2.googleapis.com, www.googleapis.com and youtube.com. */
export const sandboxYoutube: SandboxNetwork = (world) => {
  const youtube = new Youtube(world);
  const tokens = { prefix: 'google-oauth', host: 'oauth', standsFor: 'oauth2.googleapis.com' };
  const api = { prefix: 'youtube', host: 'api', standsFor: 'www.googleapis.com: YouTube' };
  const accounts = { prefix: 'google-accounts', host: 'accounts' };
  // The form of the consent page is sent to the same path of the pages of YouTube.
  const consent = consentRoutes(youtube, CONSENT);
  return networkService(youtube, [
    apiSite(youtube, tokens, tokenRoutes(youtube, tokenDialect(youtube)), refuse),
    apiSite(youtube, api, apiRoutes(youtube), refuse),
    webSite(youtube, 'accounts.google.com: consent', consent, accounts),
    webSite(youtube, 'youtube.com: channels and videos', [...consent, ...webRoutes(youtube)]),
  ]);
};
