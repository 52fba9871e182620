import { json } from '../../wire/response.js';
import type { SandboxResponse } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import { Router } from '../../wire/router.js';
import type { Site } from '../../wire/site.js';
import { apiRoutes } from './api/api.routes.js';
import { mediaRoutes } from './media/media.routes.js';
import { tokenRoutes } from './oauth/oauth.routes.js';
import { noSuchAddress, serverError, tooLarge } from './problems.js';
import { nothingHere, webRoutes } from './web/web.routes.js';
import type { X } from './x.js';

/** api.x.com, api.twitter.com and x.com. */
export function xSites(x: X): Site[] {
  return [
    apiSite(x, 'x', 'api', [...apiRoutes(x), ...mediaRoutes(x), ...tokenRoutes(x)]),
    apiSite(x, 'x-legacy', 'legacy', [...apiRoutes(x), ...mediaRoutes(x), ...tokenRoutes(x)]),
    {
      prefix: 'x-web',
      host: 'web',
      router: new Router(webRoutes(x)),
      refuse: (status) => (status === 404 ? nothingHere() : json(status, {})),
    },
  ];
}

function apiSite(x: X, prefix: string, host: string, routes: readonly Route[]): Site {
  return { prefix, host, router: new Router(routes), disturbable: x, refuse };
}

function refuse(status: 404 | 413 | 500): SandboxResponse {
  if (status === 404) return noSuchAddress();
  return status === 413 ? tooLarge() : serverError(500);
}
