import { json } from '../../wire/response.js';
import { graphProblem, nodeProblem } from '../graph/graph-problems.js';
import { videoView } from './video-state.js';
import { type Handle, ownPage, type PageHandle } from './signed-in.js';
import type { FacebookAccount } from './facebook-records.js';
import type { Facebook, FacebookPost } from './facebook.js';

/** GET /{page}/feed: the newest first, those after `since` in epoch seconds. */
export const feed: PageHandle = (facebook, call, _caller, page) => {
  const since = Number(call.query.get('since') ?? 0) * 1000;
  const limit = Math.min(Number(call.query.get('limit') ?? 25), 100);
  const posts = facebook.posts
    .by(page.id)
    .filter(({ createdAt }) => Date.parse(createdAt) >= since)
    .slice(-limit)
    .reverse();
  return json(200, { data: posts.map((post) => postView(facebook, post, page)) });
};

/** GET /{id}: a page, a video or a post of the page that calls. */
export const object: Handle = (facebook, call, caller) => {
  const id = call.params.id ?? '';
  const page = ownPage(facebook, caller.account.id, caller);
  if (id === page.id) return json(200, { id, name: page.name });
  const upload = facebook.uploads.find(id);
  if (upload?.pageId === page.id && upload.kind !== 'photo') return videoView(facebook, upload, page);
  const post = facebook.posts.find(id);
  return post?.authorId === page.id
    ? json(200, postView(facebook, post, page))
    : graphProblem(nodeProblem(id));
};

function postView(facebook: Facebook, post: FacebookPost, page: FacebookAccount): Record<string, unknown> {
  const attachments = attachmentsOf(facebook, post);
  return {
    id: post.id,
    ...(post.text !== '' && { message: post.text }),
    created_time: post.createdAt.replace(/\.\d+Z$/, '+0000'),
    permalink_url: `${facebook.webUrl}/${page.username}/posts/${post.id}`,
    from: { id: page.id, name: page.name },
    ...(attachments.length > 0 && { attachments: { data: attachments } }),
  };
}

function attachmentsOf(facebook: Facebook, { link, mediaIds = [] }: FacebookPost): object[] {
  const targets = mediaIds.map((id) => ({ target: { id, url: `${facebook.webUrl}/i/media/${id}` } }));
  if (targets.length > 1) return [{ target: {}, subattachments: { data: targets } }];
  return link === null ? targets : [{ unshimmed_url: link, target: { url: link } }];
}
