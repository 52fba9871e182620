import type { Call } from '../../wire/call.js';
import { redirect, type SandboxResponse } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import type { ShownMedia, ShownPost, Timeline } from '../kit/web/shown-post.js';
import { showPost, timelineRoutes } from '../kit/web/timeline.js';
import { filesOf, type LinkedInAccount, type LinkedInPost, uploadIdIn } from './linkedin-records.js';
import type { LinkedIn } from './linkedin.js';

const linkedInTimeline = (linkedin: LinkedIn): Timeline<LinkedInAccount, LinkedInPost> => ({
  show: (post) => shown(linkedin, post),
  file(id) {
    const content = linkedin.uploads.find(id)?.complete?.content;
    return content ? { path: linkedin.files.path(id), content } : undefined;
  },
});

function shown(linkedin: LinkedIn, post: LinkedInPost): ShownPost {
  const { id, createdAt, text, content, visibility } = post;
  const title = content.media?.title;
  return {
    id,
    path: `${linkedin.webPath}/feed/update/${id}/`,
    createdAt,
    text,
    media: mediaOf(linkedin, post),
    ...(title !== undefined && { title }),
    ...(content.article && { link: { href: content.article.source, title: content.article.title } }),
    ...(visibility === 'CONNECTIONS' && { note: 'connections only' }),
  };
}

const mediaOf = ({ uploads }: LinkedIn, { content }: LinkedInPost): ShownMedia[] =>
  filesOf(content).flatMap(({ id: urn, altText = null }) => {
    const upload = uploads.find(uploadIdIn(urn));
    if (!upload) return [];
    const { width, height } = upload.complete?.content ?? {};
    return [{ id: upload.id, kind: upload.kind, altText, width, height }];
  });

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
