import { redirect } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import type { ShownMedia, ShownPost, Timeline } from '../kit/web/shown-post.js';
import { nothingHere, showPost, timelineRoutes } from '../kit/web/timeline.js';
import type { Container, ContainerPost } from './container.js';
import type { ContainerAccount, ContainerNetwork } from './container-network.js';
import { postIdOf } from './shortcodes.js';

/** Pages of an account and of its posts. @param path of the page of a post, with `:shortcode` */
export function containerPages(network: ContainerNetwork, path: string): Route[] {
  const timeline = timelineOf(network);
  return [
    {
      method: 'GET',
      path,
      handle: (call) =>
        showPost(network, timeline, network.posts.find(postIdOf(call.params.shortcode ?? ''))),
    },
    { method: 'GET', path: '/', handle: () => nothingHere(network) },
    // Addresses of accounts end with a slash on the real site.
    {
      method: 'GET',
      path: '/:username/',
      handle: ({ params }) => redirect(`${network.webPath}/${encodeURIComponent(params.username ?? '')}`),
    },
    ...timelineRoutes(network, timeline),
  ];
}

function timelineOf(network: ContainerNetwork): Timeline<ContainerAccount, ContainerPost> {
  return {
    threads: threadsOf,
    show: (post, account) => shown(network, post, account),
    file(id) {
      const container = network.containers.find(id);
      const isShown = container?.postId != null && network.posts.find(container.postId);
      return isShown && container.content
        ? { path: network.files.path(network.fileName(id)), content: container.content }
        : undefined;
    },
  };
}

function shown(network: ContainerNetwork, post: ContainerPost, { username }: ContainerAccount): ShownPost {
  const { id, createdAt, text, mediaIds = [], link, notes } = post;
  return {
    id,
    path: network.webPath + network.dialect.postPath(post, username),
    createdAt,
    text,
    media: mediaIds.flatMap((mediaId) => network.containers.find(mediaId) ?? []).map(shownMedia),
    ...(link !== null && { link: { href: link, title: link } }),
    ...(notes.length > 0 && { note: notes.join(', ') }),
  };
}

function shownMedia({ id, source, altText, content }: Container): ShownMedia {
  const { width, height } = content ?? {};
  return { id, kind: source?.kind ?? 'image', altText, width, height };
}

/** Posts with their replies in the order of reading, the thread with the newest post first. */
function threadsOf(posts: readonly ContainerPost[], limit: number): ContainerPost[][] {
  const threads = new Map<string, ContainerPost[]>();
  for (const post of posts.toReversed()) {
    const known = threads.get(post.rootId);
    if (known) known.unshift(post);
    else if (threads.size < limit) threads.set(post.rootId, [post]);
  }
  return [...threads.values()];
}
