import { json } from '../../../wire/response.js';
import type { Route } from '../../../wire/router.js';
import type { Facebook } from '../state/facebook.js';
import { createPost } from './create-post.js';
import { feed, object } from './feed.js';
import { endPermissions, me, pages } from './people.js';
import { createPhoto } from './photos.js';
import { reels, uploadReel } from './reels.js';
import { signedIn, type SignedInRoute } from './signed-in.js';
import { accessToken } from './tokens.js';
import { MAX_VIDEO_BYTES } from './video-state.js';
import { MAX_TRANSFER_BYTES, videos } from './videos.js';

/** graph.facebook.com */
export function apiRoutes(facebook: Facebook): Route[] {
  const route = (method: Route['method'], path: string, handle: SignedInRoute['handle']): Route =>
    signedIn(facebook, { method, path: `/:version${path}`, handle });
  return [
    ...(['GET', 'POST'] as const).map((method): Route => ({
      method,
      path: '/:version/oauth/access_token',
      handle: (call) => accessToken(facebook, call),
    })),
    { method: 'DELETE', path: '/:version/:id/permissions', handle: (call) => endPermissions(facebook, call) },
    route('GET', '/me', (call, caller) => me(facebook, call, caller)),
    route('GET', '/me/accounts', (call, caller) => pages(facebook, call, caller)),
    route('GET', '/:page/feed', (call, caller) => feed(facebook, call, caller)),
    route('POST', '/:page/feed', (call, caller) => createPost(facebook, call, caller)),
    route('POST', '/:page/photos', (call, caller) => createPhoto(facebook, call, caller)),
    route('POST', '/:page/video_reels', (call, caller) => reels(facebook, call, caller)),
    ...videoRoutes(facebook),
    route('GET', '/:id', (call, caller) => object(facebook, call, caller)),
  ];
}

/** graph-video.facebook.com */
export const videoRoutes = (facebook: Facebook): Route[] => [
  signedIn(facebook, {
    method: 'POST',
    path: '/:version/:page/videos',
    maxBodyBytes: MAX_TRANSFER_BYTES,
    handle: (call, caller) => videos(facebook, call, caller),
  }),
];

/** rupload.facebook.com */
export const uploadRoutes = (facebook: Facebook): Route[] => [
  signedIn(facebook, {
    method: 'POST',
    path: '/video-upload/:version/:id',
    isFile: true,
    maxBodyBytes: MAX_VIDEO_BYTES,
    handle: (call, caller) => uploadReel(facebook, call, caller),
  }),
];

export const refuse = (status: 404 | 413 | 500) =>
  json(status === 404 ? 400 : status, {
    error: {
      message: status === 404 ? 'Unknown path components' : 'An unknown error has occurred.',
      type: 'OAuthException',
      code: status === 404 ? 2500 : 1,
    },
  });
