import { json, type SandboxResponse } from '../../wire/response.js';
import { type Route, Router } from '../../wire/router.js';
import type { Site } from '../../wire/site.js';
import type { Consent } from '../kit/oauth/consent-dialect.js';
import { consentRoutes } from '../kit/oauth/consent.js';
import { nothingHere, showPost, timelineRoutes } from '../kit/web/timeline.js';
import { creatorInfo, userInfo } from './api/creator.js';
import { initPhotos } from './api/photos.js';
import { signedIn } from './api/signed-in.js';
import { fetchStatus } from './api/status.js';
import { tokenRoutes } from './api/token.routes.js';
import { uploadRoute } from './api/upload.js';
import { initVideo } from './api/video.js';
import { USERNAME, USERNAME_IN_WORDS } from './state/tiktok-accounts.js';
import { errorOf } from './state/tiktok-responses.js';
import { tiktokTimeline } from './tiktok-timeline.js';
import type { TikTok } from './state/tiktok.js';

/** Scopes of the products that the sandbox has, with their texts on the consent page. */
export const SCOPES: Readonly<Record<string, string>> = {
  'user.info.basic': 'Read your profile info (avatar, display name).',
  'video.publish': 'Post content to TikTok.',
  'video.upload': 'Upload draft content to your account.',
};

const CONSENT: Consent = {
  path: '/v2/auth/authorize/',
  clientParameter: 'client_key',
  scopeSeparator: ',',
  scopes: SCOPES,
  pkce: 'none',
  maxState: 1_000,
  extras: [],
  username: USERNAME,
  usernameInWords: USERNAME_IN_WORDS,
  denied: { error: 'access_denied', error_description: 'User denied access', error_type: 'access_denied' },
};

/** open.tiktokapis.com, the host of upload addresses, and www.tiktok.com. */
export function tiktokSites(tiktok: TikTok): Site[] {
  const shared = { disturbable: tiktok, refuse };
  const api = new Router([...apiRoutes(tiktok), ...tokenRoutes(tiktok)]);
  const upload = new Router([uploadRoute(tiktok)]);
  return [
    { prefix: 'tiktok', host: 'api', standsFor: 'open.tiktokapis.com', router: api, ...shared },
    {
      prefix: 'tiktok-upload',
      host: 'upload',
      standsFor: 'the host of TikTok’s upload addresses',
      router: upload,
      ...shared,
    },
    {
      prefix: 'tiktok-web',
      host: 'web',
      standsFor: 'www.tiktok.com: consent and timelines',
      router: new Router(webRoutes(tiktok)),
      refuse: (status) => (status === 404 ? nothingHere(tiktok) : json(status, {})),
    },
  ];
}

function apiRoutes(tiktok: TikTok): Route[] {
  const publish = ['video.publish'];
  return [
    signedIn(tiktok, 'GET', '/v2/user/info/', ['user.info.basic'], userInfo),
    signedIn(tiktok, 'POST', '/v2/post/publish/creator_info/query/', publish, creatorInfo),
    signedIn(tiktok, 'POST', '/v2/post/publish/video/init/', publish, initVideo),
    signedIn(tiktok, 'POST', '/v2/post/publish/content/init/', publish, initPhotos),
    signedIn(tiktok, 'POST', '/v2/post/publish/status/fetch/', [...publish, 'video.upload'], fetchStatus),
  ];
}

function webRoutes(tiktok: TikTok): Route[] {
  const post = (path: string): Route => ({
    method: 'GET',
    path,
    handle: ({ params: { id = '' } }) => showPost(tiktok, tiktokTimeline(tiktok), tiktok.posts.find(id)),
  });
  return [
    ...consentRoutes(tiktok, CONSENT),
    post('/:username/video/:id'),
    post('/:username/photo/:id'),
    ...timelineRoutes(tiktok, tiktokTimeline(tiktok)),
  ];
}

function refuse(status: 404 | 413 | 500): SandboxResponse {
  return status === 500 ? errorOf('internal_error') : json(status, {});
}
