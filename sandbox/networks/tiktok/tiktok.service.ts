import type { SandboxNetwork } from '../../outside-service.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import type { Consent } from '../kit/oauth/authorization-request.js';
import { consentRoutes } from '../kit/oauth/consent.js';
import { tokenRoutes } from '../kit/oauth/token-routes.js';
import { apiSite, networkService } from '../kit/service.js';
import { showPost, timelineRoutes, webSite } from '../kit/web/timeline.js';
import { creatorInfo, signedIn, userInfo } from './creator.js';
import { tokenDialect } from './oauth.js';
import { initPhotos } from './photos.js';
import { fetchStatus } from './status.js';
import { errorOf } from './tiktok-responses.js';
import { tiktokTimeline } from './tiktok-timeline.js';
import { TikTok } from './tiktok.js';
import { initVideo, uploadRoute } from './video.js';

const CONSENT: Consent = {
  path: '/v2/auth/authorize/',
  clientParameter: 'client_key',
  scopeSeparator: ',',
  pkce: 'none',
  maxState: 1_000,
  extras: [],
  denied: { error: 'access_denied', error_description: 'User denied access', error_type: 'access_denied' },
};

function apiRoutes(tiktok: TikTok): Route[] {
  const publish = ['video.publish'];
  return [
    signedIn(tiktok, 'GET', '/v2/user/info/', ['user.info.basic'], userInfo),
    signedIn(tiktok, 'POST', '/v2/post/publish/creator_info/query/', publish, creatorInfo),
    signedIn(tiktok, 'POST', '/v2/post/publish/video/init/', publish, initVideo),
    signedIn(tiktok, 'POST', '/v2/post/publish/content/init/', publish, initPhotos),
    signedIn(tiktok, 'POST', '/v2/post/publish/status/fetch/', [...publish, 'video.upload'], fetchStatus),
    ...tokenRoutes(tiktok, tokenDialect(tiktok)),
  ];
}

function webRoutes(tiktok: TikTok): Route[] {
  const timeline = tiktokTimeline(tiktok);
  const post = (path: string): Route => ({
    method: 'GET',
    path,
    handle: ({ params: { id = '' } }) => showPost(tiktok, timeline, tiktok.posts.find(id)),
  });
  return [
    ...consentRoutes(tiktok, CONSENT),
    post('/:username/video/:id'),
    post('/:username/photo/:id'),
    ...timelineRoutes(tiktok, timeline),
  ];
}

function refuse(status: 404 | 413 | 500): SandboxResponse {
  return status === 500 ? errorOf('internal_error') : json(status, {});
}

/** open.tiktokapis.com, the host of upload addresses, and www.tiktok.com. */
export const sandboxTikTok: SandboxNetwork = (world) => {
  const tiktok = new TikTok(world);
  const api = { prefix: 'tiktok', host: 'api', standsFor: 'open.tiktokapis.com' };
  const standsFor = 'the host of TikTok’s upload addresses';
  return networkService(tiktok, [
    apiSite(tiktok, api, apiRoutes(tiktok), refuse),
    apiSite(tiktok, { prefix: 'tiktok-upload', host: 'upload', standsFor }, [uploadRoute(tiktok)], refuse),
    webSite(tiktok, 'www.tiktok.com: consent and timelines', webRoutes(tiktok)),
  ]);
};
