import type { XPost } from '../state/x-posts.js';

/** Posts that belong together, in reading order. */
export type Thread = readonly XPost[];

/** Joins the posts of one account into threads, the one with the newest post first. `posts` are oldest first. */
export function threadsOf(posts: readonly XPost[], limit: number): Thread[] {
  const threads = new Map<string, XPost[]>();
  for (const post of posts.toReversed()) {
    const known = threads.get(post.conversationId);
    if (known) known.unshift(post);
    else if (threads.size < limit) threads.set(post.conversationId, [post]);
  }
  return [...threads.values()];
}
