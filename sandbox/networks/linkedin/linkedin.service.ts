import type { SandboxNetwork } from '../../outside-service.js';
import type { SandboxResponse } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import { consentRoutes } from '../kit/oauth/consent.js';
import { tokenRoutes } from '../kit/oauth/token-routes.js';
import { apiSite, networkService } from '../kit/service.js';
import { nothingHere } from '../kit/web/timeline.js';
import { LinkedIn } from './linkedin.js';
import { organizationAcls, organizationsLookup, signedIn, userInfo, versioned } from './members.js';
import { CONSENT, tokenDialect } from './oauth.js';
import { createPost, deletePost, findPosts } from './posts.js';
import { notFound, serverError, tooLarge } from './problems.js';
import { putImage, putPart } from './put-bytes.js';
import { fileAction, fileState } from './uploads.js';
import { webRoutes } from './web.routes.js';

const MAX_IMAGE_BYTES = 50_000_000;
const MAX_PART_BYTES = 4_194_304;

function apiRoutes(linkedin: LinkedIn): Route[] {
  return [
    { method: 'GET', path: '/v2/userinfo', handle: (call) => signedIn(linkedin, call, userInfo) },
    versioned(linkedin, 'GET', '/rest/organizationAcls', organizationAcls),
    versioned(linkedin, 'GET', '/rest/organizationsLookup', organizationsLookup),
    versioned(linkedin, 'POST', '/rest/posts', createPost),
    versioned(linkedin, 'GET', '/rest/posts', findPosts),
    versioned(linkedin, 'DELETE', '/rest/posts/:urn', deletePost),
    versioned(linkedin, 'POST', '/rest/images', fileAction('image')),
    versioned(linkedin, 'GET', '/rest/images/:urn', fileState),
    versioned(linkedin, 'POST', '/rest/videos', fileAction('video')),
    versioned(linkedin, 'GET', '/rest/videos/:urn', fileState),
    {
      method: 'PUT',
      path: '/dms-uploads/:id/uploaded-image',
      isFile: true,
      maxBodyBytes: MAX_IMAGE_BYTES,
      handle: (call) => putImage(linkedin, call),
    },
    {
      method: 'PUT',
      path: '/dms-uploads/:id/uploaded-video/:part',
      isFile: true,
      maxBodyBytes: MAX_PART_BYTES,
      handle: (call) => putPart(linkedin, call),
    },
  ];
}

function refuse(status: 404 | 413 | 500): SandboxResponse {
  if (status === 404) return notFound('The resource');
  return status === 413 ? tooLarge() : serverError(500);
}

/** api.linkedin.com, and www.linkedin.com with its OAuth routes, consent and timelines. */
export const sandboxLinkedIn: SandboxNetwork = (world) => {
  const linkedin = new LinkedIn(world);
  const oauth = [...consentRoutes(linkedin, CONSENT), ...tokenRoutes(linkedin, tokenDialect(linkedin))];
  const api = { prefix: 'linkedin', host: 'api', standsFor: 'api.linkedin.com' };
  const web = { prefix: 'linkedin-web', host: 'web', standsFor: 'www.linkedin.com: sign-in and timelines' };
  return networkService(linkedin, [
    apiSite(linkedin, api, apiRoutes(linkedin), refuse),
    apiSite(linkedin, web, [...oauth, ...webRoutes(linkedin)], (status) =>
      status === 404 ? nothingHere(linkedin) : refuse(status),
    ),
  ]);
};
