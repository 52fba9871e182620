import { json } from '../../wire/response.js';
import { type Route, Router } from '../../wire/router.js';
import type { Site } from '../../wire/site.js';
import { nothingHere } from '../kit/web/timeline.js';
import { apiRoutes, refuse, uploadRoutes, videoRoutes } from './api/api.routes.js';
import type { Facebook } from './state/facebook.js';
import { webRoutes } from './web/web.routes.js';

/** graph.facebook.com, graph-video.facebook.com, rupload.facebook.com and www.facebook.com. */
export function facebookSites(facebook: Facebook): Site[] {
  const site = (prefix: string, host: string, standsFor: string, routes: readonly Route[]): Site => ({
    prefix,
    host,
    standsFor,
    router: new Router(routes),
    disturbable: facebook,
    refuse,
  });
  return [
    site('facebook', 'graph', 'graph.facebook.com', apiRoutes(facebook)),
    site('facebook-video', 'graph-video', 'graph-video.facebook.com', videoRoutes(facebook)),
    site('facebook-upload', 'rupload', 'rupload.facebook.com', uploadRoutes(facebook)),
    {
      prefix: 'facebook-web',
      host: 'web',
      standsFor: 'www.facebook.com: consent and timelines',
      router: new Router(webRoutes(facebook)),
      refuse: (status) => (status === 404 ? nothingHere(facebook) : json(status, {})),
    },
  ];
}
