import { html, type Markup } from '#libs/pages';
import type { Call } from '../../wire/call.js';
import { redirect, type SandboxResponse } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import { type ShownMedia, type ShownPost, threadsBy, type Timeline } from '../kit/web/shown-post.js';
import { nothingHere, showPost, timelineRoutes } from '../kit/web/timeline.js';
import { consentRoutes } from '../kit/oauth/consent.js';
import { CONSENT } from './oauth.js';
import { linksIn, type XPost } from './post-text.js';
import type { XUpload } from './x-uploads.js';
import type { X, XAccount } from './x.js';

function xTimeline(x: X): Timeline<XAccount, XPost> {
  return {
    threads: threadsBy(({ conversationId }) => conversationId),
    isVerified: ({ verified }) => verified,
    show: (post, account) => shown(x, post, account),
    file(id) {
      const upload = x.uploads.find(id);
      const content =
        upload?.postId != null && x.posts.find(upload.postId) ? upload.finalized?.content : null;
      return content ? { path: x.files.path(id), content } : undefined;
    },
  };
}

function shown(x: X, post: XPost, { username }: XAccount): ShownPost {
  const { id, createdAt, text, mediaIds = [] } = post;
  return {
    id,
    path: `${x.webPath}/${username}/status/${id}`,
    createdAt,
    text: text === '' ? '' : textMarkup(post),
    media: mediaIds.flatMap((mediaId) => x.uploads.find(mediaId) ?? []).map(shownMedia),
  };
}

function shownMedia({ id, category, altText, finalized }: XUpload): ShownMedia {
  const { width, height } = finalized?.content ?? {};
  return { id, kind: category === 'tweet_video' ? 'video' : 'image', altText, width, height };
}

/** Links point to their displayed address; everything else is escaped text. */
function textMarkup(post: XPost): Markup {
  const pieces: Markup[] = [];
  let from = 0;
  for (const link of linksIn(post.id, post.text)) {
    const shownLink = post.text.slice(link.start, link.end);
    pieces.push(html`${post.text.slice(from, link.start)}`);
    pieces.push(html`<a href="${link.expandedUrl}" rel="noreferrer nofollow">${shownLink}</a>`);
    from = link.end;
  }
  return html`${pieces}${post.text.slice(from)}`;
}

/** The pages of x.com that a person needs: consent, an account's timeline, one post. */
export function webRoutes(x: X): Route[] {
  return [
    ...consentRoutes(x, CONSENT),
    { method: 'GET', path: '/i/web/status/:id', handle: (call) => toPost(x, call) },
    { method: 'GET', path: '/:username/status/:id', handle: (call) => showStatus(x, call) },
    ...timelineRoutes(x, xTimeline(x)),
  ];
}

/** As on x.com the id decides; a wrong handle in the address is corrected. */
function showStatus(x: X, call: Call): SandboxResponse {
  const post = x.posts.find(call.params.id ?? '');
  const account = post && x.accounts.find(post.authorId);
  if (account && account.username !== call.params.username) return toPost(x, call);
  return showPost(x, xTimeline(x), post);
}

function toPost(x: X, call: Call): SandboxResponse {
  const post = x.posts.find(call.params.id ?? '');
  const account = post && x.accounts.find(post.authorId);
  return account ? redirect(`${x.webPath}/${account.username}/status/${post.id}`) : nothingHere(x);
}
