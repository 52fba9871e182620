import type { SandboxNetwork } from '../../outside-service.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import { tokenRoutes } from '../kit/oauth/token-routes.js';
import { apiSite, networkService } from '../kit/service.js';
import { webSite } from '../kit/web/timeline.js';
import {
  appendSegment,
  describeMedia,
  finalizeUpload,
  initializeUpload,
  uploadStatus,
  uploadWhole,
} from './chunked-upload.js';
import { createPost } from './create-post.js';
import { fieldsAskedFor, USER_FIELDS, userView } from './fields.js';
import { tokenDialect } from './oauth.js';
import { noSuchAddress, serverError, tooLarge } from './problems.js';
import { deletePost, getPost, userPosts } from './read-posts.js';
import { type Handle, signedIn } from './signed-in.js';
import { webRoutes } from './web.routes.js';
import { X } from './x.js';

const READ = ['tweet.read', 'users.read'];
const WRITE = [...READ, 'tweet.write'];
const WRITE_MEDIA = ['media.write'];
/** A segment of 5 MB as base64, or a GIF of 15 MB in one call. */
const MAX_BODY_BYTES = 16 * 1_048_576;

/** The API as api.x.com and, under its old name, api.twitter.com answer it. */
function apiRoutes(x: X): Route[] {
  const media = (method: Route['method'], path: string, handle: Handle): Route =>
    signedIn(x, method, path, WRITE_MEDIA, handle, MAX_BODY_BYTES);
  return [
    signedIn(x, 'GET', '/2/users/me', READ, me),
    signedIn(x, 'GET', '/2/users/:id/tweets', READ, userPosts),
    signedIn(x, 'POST', '/2/tweets', WRITE, createPost),
    signedIn(x, 'GET', '/2/tweets/:id', READ, getPost),
    signedIn(x, 'DELETE', '/2/tweets/:id', WRITE, deletePost),
    media('POST', '/2/media/upload', uploadWhole),
    media('GET', '/2/media/upload', uploadStatus),
    media('POST', '/2/media/upload/initialize', initializeUpload),
    media('POST', '/2/media/upload/:id/append', appendSegment),
    media('POST', '/2/media/upload/:id/finalize', finalizeUpload),
    media('POST', '/2/media/metadata', describeMedia),
    ...tokenRoutes(x, tokenDialect(x)),
  ];
}

const me: Handle = (x, call, { account }) => {
  const fields = fieldsAskedFor(call.query, 'user.fields', USER_FIELDS);
  return json(200, { data: userView(x, account, fields) });
};

function refuse(status: 404 | 413 | 500): SandboxResponse {
  if (status === 404) return noSuchAddress();
  return status === 413 ? tooLarge() : serverError(500);
}

/** api.x.com, api.twitter.com and x.com. */
export const sandboxX: SandboxNetwork = (world) => {
  const x = new X(world);
  const api = { prefix: 'x', host: 'api', standsFor: 'api.x.com' };
  const legacy = { prefix: 'x-legacy', host: 'legacy', standsFor: 'api.twitter.com' };
  return networkService(x, [
    apiSite(x, api, apiRoutes(x), refuse),
    apiSite(x, legacy, apiRoutes(x), refuse),
    webSite(x, 'x.com: consent and timelines', webRoutes(x)),
  ]);
};
