import type { Call } from '../../../wire/call.js';
import { redirect, type SandboxResponse } from '../../../wire/response.js';
import type { Route } from '../../../wire/router.js';
import { showPost, timelineRoutes } from '../../kit/web/timeline.js';
import type { LinkedIn } from '../state/linkedin.js';
import { linkedInTimeline } from './linkedin-timeline.js';

/** The pages of linkedin.com that a person needs: one post, an account's timeline. */
export function webRoutes(linkedin: LinkedIn): Route[] {
  return [
    ...['/feed/update/:urn', '/feed/update/:urn/'].map((path) => ({
      method: 'GET' as const,
      path,
      handle: (call: Call) => showUpdate(linkedin, call),
    })),
    ...timelineRoutes(linkedin, linkedInTimeline(linkedin)).map((route) =>
      route.path === '/:username' ? { ...route, handle: byName(linkedin, route.handle) } : route,
    ),
  ];
}

/** The API names persons, and their pages have another address: `/Mara Lindt` leads to `/mara-lindt`. */
const byName =
  ({ accounts, webPath }: LinkedIn, handle: Route['handle']): Route['handle'] =>
  (call) => {
    const handleOf = (call.params.username ?? '').trim().toLowerCase().replaceAll(/\s+/g, '-');
    const account = accounts.byUsername(handleOf);
    return account && account.username !== call.params.username
      ? redirect(`${webPath}/${account.username}`)
      : handle(call);
  };

const showUpdate = (linkedin: LinkedIn, call: Call): SandboxResponse =>
  showPost(linkedin, linkedInTimeline(linkedin), linkedin.posts.find(call.params.urn ?? ''));
