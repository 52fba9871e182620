import type { Clock } from '#libs/clock';
import type { SandboxNetwork } from '../outside-service.js';
import { json, type SandboxResponse } from '../wire/response.js';
import { Router } from '../wire/router.js';
import type { Site } from '../wire/site.js';

const HOUR_MS = 3_600_000;
const ITEMS = [
  [
    'cold-brew',
    'Cold brew sells in winter too',
    'A third of the sales of coffee shops, up from a tenth in 2023.',
  ],
  ['latte-art', 'Latte art returns to the counter', 'Guests film it again, as they did in 2019.'],
  ['oat-milk', 'Oat milk becomes the default', 'Several chains ask for dairy instead.'],
] as const;

/** A news site with a feed about coffee, whose links are relative. */
export const sandboxFeeds: SandboxNetwork = ({ clock }) => ({
  sites: [feedsSite(clock)],
  controlRoutes: [],
  persistent: [],
  accountCards: () => [],
  open: () => undefined,
  clear: () => undefined,
});

const feedsSite = (clock: Clock): Site => ({
  prefix: 'news',
  host: 'news',
  standsFor: 'a news site with a feed, /news/coffee.xml',
  router: new Router([{ method: 'GET', path: '/coffee.xml', handle: () => feed(clock.now()) }]),
  refuse: (status) => json(status, { error: 'Not here.' }),
});

function feed(now: Date): SandboxResponse {
  const items = ITEMS.map(([slug, title, text], index) => {
    const published = new Date(now.getTime() - (index + 1) * HOUR_MS).toUTCString();
    return `<item><title>${title}</title><link>/news/${slug}</link><description>&lt;p&gt;${text}&lt;/p&gt;</description><pubDate>${published}</pubDate><guid isPermaLink="false">${slug}</guid></item>`;
  });
  return {
    status: 200,
    headers: { 'content-type': 'application/rss+xml; charset=utf-8' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>Coffee News</title><link>/news/</link><description>About coffee</description>${items.join('')}</channel></rss>\n`,
  };
}
