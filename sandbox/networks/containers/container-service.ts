import type { OutsideService } from '../../outside-service.js';
import { redirect, type SandboxResponse } from '../../wire/response.js';
import { type Route } from '../../wire/router.js';
import type { Site } from '../../wire/site.js';
import { graphProblem, nodeProblem, parameterProblem, serverProblem } from '../graph/graph-problems.js';
import type { Consent } from '../kit/oauth/authorization-request.js';
import { consentRoutes } from '../kit/oauth/consent.js';
import { apiSite, networkService } from '../kit/service.js';
import { type ShownMedia, type ShownPost, threadsBy, type Timeline } from '../kit/web/shown-post.js';
import { nothingHere, showPost, timelineRoutes, webSite } from '../kit/web/timeline.js';
import type { ContainerAccount, ContainerNetwork } from './container-network.js';
import { type Container, type ContainerPost } from './dialect.js';
import { postIdOf } from './draft-fields.js';

/** Pages of an account and of its posts. @param path of the page of a post, with `:shortcode` */
function containerPages(network: ContainerNetwork, path: string): Route[] {
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
    threads: threadsBy(({ rootId }) => rootId),
    show: (post, account) => shown(network, post, account),
    file(id) {
      const container = network.uploads.find(id);
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
    media: mediaIds.flatMap((mediaId) => network.uploads.find(mediaId) ?? []).map(shownMedia),
    ...(link !== null && { link: { href: link, title: link } }),
    ...(notes.length > 0 && { note: notes.join(', ') }),
  };
}

function shownMedia({ id, source, altText, content }: Container): ShownMedia {
  const { width, height } = content ?? {};
  return { id, kind: source?.kind ?? 'image', altText, width, height };
}

const CONSENT: Consent<ContainerAccount> = {
  path: '/oauth/authorize',
  clientParameter: 'client_id',
  scopeSeparator: ',',
  pkce: 'none',
  maxState: 2_000,
  extras: [],
  codeSuffix: '#_',
  denied: {
    error: 'access_denied',
    error_reason: 'user_denied',
    error_description: 'The user denied your request.',
  },
};

/** @param postPath of the page of a post, with `:shortcode` */
export function containerService(
  network: ContainerNetwork,
  apiSites: readonly Site[],
  postPath: string,
): OutsideService {
  const pages = [...consentRoutes(network, CONSENT), ...containerPages(network, postPath)];
  return networkService(network, [
    ...apiSites,
    webSite(network, `${network.site}: consent and timelines`, pages),
  ]);
}

export const containerSite = (
  network: ContainerNetwork,
  host: Pick<Site, 'prefix' | 'host' | 'standsFor'>,
  routes: readonly Route[],
): Site => apiSite(network, host, routes, refuse);

function refuse(status: 404 | 413 | 500): SandboxResponse {
  if (status === 404) return graphProblem(nodeProblem('unknown'));
  return graphProblem(status === 413 ? parameterProblem('The request is too large.') : serverProblem(500));
}
