import { html, type Markup } from '#libs/pages';
import type { ShownMedia, ShownPost, Timeline } from '../../kit/web/shown-post.js';
import { linksIn } from '../state/post-text.js';
import type { X } from '../state/x.js';
import type { XAccount } from '../state/x-accounts.js';
import type { XPost } from '../state/x-posts.js';
import type { XUpload } from '../state/x-uploads.js';
import { threadsOf } from './threads.js';

export function xTimeline(x: X): Timeline<XAccount, XPost> {
  return {
    threads: threadsOf,
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
