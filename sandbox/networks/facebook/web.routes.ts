import type { Call } from '../../wire/call.js';
import { redirect, type SandboxResponse } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import type { Consent } from '../kit/oauth/authorization-request.js';
import { consentRoutes } from '../kit/oauth/consent.js';
import type { Timeline } from '../kit/web/shown-post.js';
import { nothingHere, showPost, timelineRoutes } from '../kit/web/timeline.js';
import { type FacebookAccount, fileOf } from './facebook-records.js';
import type { Facebook, FacebookPost } from './facebook.js';

/** Versions that are served. An older one is served as the oldest of them. */
const VERSIONS = ['v20.0', 'v21.0', 'v22.0', 'v23.0', 'v24.0', 'v25.0', 'v26.0'];

const consentAt = (version: string): Consent<FacebookAccount> => ({
  path: `/${version}/dialog/oauth`,
  clientParameter: 'client_id',
  scopeSeparator: ',',
  pkce: 'none',
  maxState: 2_000,
  extras: ['auth_type'],
  isSelectable: ({ kind }) => kind === 'person',
  denied: {
    error: 'access_denied',
    error_code: '200',
    error_reason: 'user_denied',
    error_description: 'Permissions error',
  },
  refusedScope: (scope) => ({ error_code: '100', error_message: `Invalid Scopes: ${scope}` }),
});

/** The pages of facebook.com that a person needs: consent, the timeline of a page, one post. */
export function webRoutes(facebook: Facebook): Route[] {
  const timeline = timelineOf(facebook);
  const post = (call: Call): SandboxResponse =>
    showPost(facebook, timeline, postOf(facebook, call.params.id ?? ''));
  const [avatars, files, pages] = timelineRoutes(facebook, timeline) as [Route, Route, Route];
  return [
    ...VERSIONS.flatMap((version) => consentRoutes(facebook, consentAt(version))),
    avatars,
    files,
    // Facebook writes addresses of videos with a slash at the end.
    ...[
      '/reel/:id',
      '/reel/:id/',
      '/:username/videos/:id',
      '/:username/videos/:id/',
      '/:username/posts/:id',
    ].map((path): Route => ({ method: 'GET', path, handle: post })),
    { method: 'GET', path: '/:username', handle: (call) => anyPage(facebook, timeline, pages, call) },
  ];
}

/** The timeline of a page, the first page of a person, or the post with this id. */
function anyPage(
  facebook: Facebook,
  timeline: Timeline<FacebookAccount, FacebookPost>,
  pages: Route,
  call: Call,
): ReturnType<Route['handle']> {
  const name = call.params.username ?? '';
  const post = postOf(facebook, name);
  if (post) return showPost(facebook, timeline, post);
  const account = facebook.accounts.find(name);
  if (account?.kind !== 'person') return pages.handle(call);
  const [page] = facebook.accounts.pagesOf(account);
  return page ? redirect(`${facebook.webPath}/${page.username}`) : nothingHere(facebook);
}

/** By its id, or by the id of its video. */
function postOf(facebook: Facebook, id: string): FacebookPost | undefined {
  return facebook.posts.find(id) ?? facebook.posts.find(facebook.uploads.find(id)?.postId ?? '');
}

function timelineOf(facebook: Facebook): Timeline<FacebookAccount, FacebookPost> {
  return {
    show: ({ id, createdAt, text, title, link, mediaIds = [] }, { username }) => ({
      id,
      path: `${facebook.webPath}/${username}/posts/${id}`,
      createdAt,
      text,
      ...(title !== undefined && { title }),
      ...(link !== null && { link: { href: link, title: link } }),
      media: mediaIds.flatMap((mediaId) => {
        const upload = facebook.uploads.find(mediaId);
        if (!upload?.content) return [];
        const { width, height } = upload.content;
        const kind = upload.kind === 'photo' ? ('image' as const) : ('video' as const);
        return [{ id: mediaId, kind, altText: upload.altText, width, height }];
      }),
      ...(isMarked(facebook, mediaIds) && { note: 'AI info' }),
    }),
    file(id) {
      const upload = facebook.uploads.find(id);
      if (!upload?.content || upload.postId === null) return undefined;
      return { path: facebook.files.path(fileOf(id)), content: upload.content };
    },
  };
}

const isMarked = (facebook: Facebook, mediaIds: readonly string[]): boolean =>
  mediaIds.some((id) => facebook.uploads.find(id)?.isAiGenerated === true);
