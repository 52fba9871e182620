import type { Call } from '../../../wire/call.js';
import { json, type SandboxResponse } from '../../../wire/response.js';
import { mayPost } from '../state/linkedin-accounts.js';
import type { LinkedIn } from '../state/linkedin.js';
import { denied, invalid, notFound } from '../state/problems.js';
import { postView } from './create-post.js';
import { type Caller, mayActAs } from './signed-in.js';

/** GET /rest/posts?q=author. Posts of members need a permission that the app does not have. */
export function findPosts(linkedin: LinkedIn, call: Call, { account, grant }: Caller): SandboxResponse {
  const { query } = call;
  if (query.get('q') !== 'author') return invalid('Unknown finder');
  const author = linkedin.byUrn(query.get('author') ?? '');
  const isAllowed =
    author?.kind === 'organization' &&
    grant.scopes.includes('r_organization_social') &&
    mayPost(author, account);
  if (!isAllowed) return denied('partnerApiPosts.FINDER-author');
  const [start, count] = [Number(query.get('start') ?? 0), Number(query.get('count') ?? 10)];
  const newest = [...linkedin.posts.by(author.id)].reverse();
  const elements = newest.slice(start, start + Math.min(count, 100)).map((post) => postView(linkedin, post));
  return json(200, { elements, paging: { start, count, links: [], total: newest.length } });
}

/** DELETE /rest/posts/{urn}. Deleting twice succeeds. */
export function deletePost(linkedin: LinkedIn, call: Call, caller: Caller): SandboxResponse {
  const urn = call.params.urn ?? '';
  if (!/^urn:li:(share|ugcPost):\d+$/.test(urn)) return notFound('The post');
  const post = linkedin.posts.find(urn);
  const author = post && linkedin.accounts.find(post.authorId);
  if (post && author) {
    if (!mayActAs(caller, author)) return denied('partnerApiPosts.DELETE');
    const of = { account: author, grant: caller.grant };
    const { line } = linkedin.effect(call, of, { kind: 'post.deleted', id: urn });
    linkedin.posts.remove(post, line);
  }
  return { status: 204, headers: {}, body: '' };
}
