import type { SandboxResponse } from '../../wire/response.js';
import { Router } from '../../wire/router.js';
import type { Site } from '../../wire/site.js';
import { nothingHere } from '../kit/web/timeline.js';
import { apiRoutes } from './api/api.routes.js';
import type { LinkedIn } from './state/linkedin.js';
import { mediaRoutes } from './media/media.routes.js';
import { tokenRoutes } from './oauth/oauth.routes.js';
import { notFound, serverError, tooLarge } from './state/problems.js';
import { webRoutes } from './web/web.routes.js';

/** api.linkedin.com, and www.linkedin.com with its OAuth routes, consent and timelines. */
export function linkedInSites(linkedin: LinkedIn): Site[] {
  return [
    {
      prefix: 'linkedin',
      host: 'api',
      standsFor: 'api.linkedin.com',
      router: new Router([...apiRoutes(linkedin), ...mediaRoutes(linkedin)]),
      disturbable: linkedin,
      refuse,
    },
    {
      prefix: 'linkedin-web',
      host: 'web',
      standsFor: 'www.linkedin.com: sign-in and timelines',
      router: new Router([...tokenRoutes(linkedin), ...webRoutes(linkedin)]),
      disturbable: linkedin,
      refuse: (status) => (status === 404 ? nothingHere(linkedin) : refuse(status)),
    },
  ];
}

function refuse(status: 404 | 413 | 500): SandboxResponse {
  if (status === 404) return notFound('The resource');
  return status === 413 ? tooLarge() : serverError(500);
}
