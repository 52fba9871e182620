import { json, type SandboxResponse } from '../../wire/response.js';
import { type Route, Router } from '../../wire/router.js';
import type { Site } from '../../wire/site.js';
import { apiRoutes } from './api/api.routes.js';
import { mediaRoutes } from './media/media.routes.js';
import { tokenRoutes } from './oauth/oauth.routes.js';
import { noSuchAddress, serverError, tooLarge } from './state/problems.js';
import { nothingHere } from '../kit/web/timeline.js';
import { webRoutes } from './web/web.routes.js';
import type { X } from './state/x.js';

/** api.x.com, api.twitter.com and x.com. */
export function xSites(x: X): Site[] {
  return [
    apiSite(x, 'x', 'api', 'api.x.com', [...apiRoutes(x), ...mediaRoutes(x), ...tokenRoutes(x)]),
    apiSite(x, 'x-legacy', 'legacy', 'api.twitter.com', [
      ...apiRoutes(x),
      ...mediaRoutes(x),
      ...tokenRoutes(x),
    ]),
    {
      prefix: 'x-web',
      host: 'web',
      standsFor: 'x.com: consent and timelines',
      router: new Router(webRoutes(x)),
      refuse: (status) => (status === 404 ? nothingHere(x) : json(status, {})),
    },
  ];
}

function apiSite(x: X, prefix: string, host: string, standsFor: string, routes: readonly Route[]): Site {
  return { prefix, host, standsFor, router: new Router(routes), disturbable: x, refuse };
}

function refuse(status: 404 | 413 | 500): SandboxResponse {
  if (status === 404) return noSuchAddress();
  return status === 413 ? tooLarge() : serverError(500);
}
