import type { EffectMedia } from '../../ledger/effect.js';
import type { Call } from '../../wire/call.js';
import { json, type SandboxResponse, withHeaders } from '../../wire/response.js';
import { parsePost, type PostBody } from './post.body.js';
import { type Caller, type Handle, mayActAs } from './members.js';
import {
  filesOf,
  type LinkedInAccount,
  type LinkedInPost,
  type LinkedInUpload,
  mayPost,
  stateOf,
  uploadIdIn,
  urnOf,
} from './linkedin-records.js';
import type { LinkedIn } from './linkedin.js';
import { shownText } from './little-text.js';
import { denied, duplicateOf, invalid, invalidField, notFound, tooMany } from './problems.js';

const DAY_SECONDS = 86_400;
/** Newest posts of an author that are compared. */
const COMPARED = 500;

/** POST /rest/posts */
export const createPost: Handle = (linkedin, call, caller) => {
  const body = parsePost(call.json?.value);
  const author = linkedin.byUrn(body.author);
  if (!author || !mayActAs(caller, author)) return denied('partnerApiPosts.CREATE');
  const visibility = author.kind === 'organization' && body.visibility === 'CONNECTIONS';
  if (visibility)
    return invalidField('/visibility', 'FIELD_VALUE_INVALID', 'not supported for organizations');
  const uploads = filesOf(body.content).map(({ id }) => linkedin.uploads.find(uploadIdIn(id)));
  const refused = refusedFiles(linkedin, author, uploads) ?? refusedContent(linkedin, author, body);
  if (refused) return refused;
  if (!takesPost(linkedin, author)) return tooMany('posts');
  return publish(linkedin, call, caller, { author, body, uploads: uploads.flatMap((each) => each ?? []) });
};

function refusedFiles(
  linkedin: LinkedIn,
  { id: authorId }: LinkedInAccount,
  uploads: readonly (LinkedInUpload | undefined)[],
): SandboxResponse | undefined {
  for (const upload of uploads) {
    if (upload?.ownerId !== authorId) return invalid('The media is not owned by the author of the post');
    if (uploads.length > 1 && upload.kind === 'video')
      return invalid('A video cannot be shown with other media');
    const state = stateOf(upload, linkedin.now);
    if (state === 'PROCESSING_FAILED')
      return invalidField('/content', 'MEDIA_ASSET_PROCESSING_FAILED', 'Media asset processing failed');
    if (state !== 'AVAILABLE')
      return invalidField('/content', 'MEDIA_ASSET_WAITING_UPLOAD', 'Media asset is waiting upload');
  }
  return undefined;
}

function refusedContent(
  linkedin: LinkedIn,
  { id }: LinkedInAccount,
  { commentary, content }: PostBody,
): SandboxResponse | undefined {
  const since = linkedin.now - linkedin.settings.duplicateWindowSeconds * 1000;
  const wanted = JSON.stringify([commentary, content]);
  const twin = linkedin.posts
    .by(id)
    .slice(-COMPARED)
    .find((post) => JSON.stringify([post.commentary, post.content]) === wanted);
  return twin && Date.parse(twin.createdAt) > since ? duplicateOf(twin.id) : undefined;
}

/** Daily limits begin again at midnight UTC. */
function takesPost({ windows, now, settings }: LinkedIn, { id }: LinkedInAccount): boolean {
  const day = Math.floor(now / (DAY_SECONDS * 1000));
  const limit = { limit: settings.postsPerDay, windowSeconds: DAY_SECONDS };
  return windows.take(`posts ${id} ${day}`, limit).allowed;
}

interface Draft {
  readonly author: LinkedInAccount;
  readonly body: PostBody;
  readonly uploads: readonly LinkedInUpload[];
}

function publish(
  linkedin: LinkedIn,
  call: Call,
  caller: Caller,
  { author, body: { commentary, visibility, content }, uploads }: Draft,
): SandboxResponse {
  const type = uploads.some(({ kind }) => kind === 'video') ? 'ugcPost' : 'share';
  const id = `urn:li:${type}:${linkedin.ids.next()}`;
  const text = shownText(commentary);
  const createdAt = linkedin.clock.now().toISOString();
  const mediaIds = uploads.map((upload) => upload.id);
  const post: LinkedInPost = {
    id,
    authorId: author.id,
    text,
    createdAt,
    commentary,
    visibility,
    content,
    ...(mediaIds.length > 0 && { mediaIds }),
  };
  const files = filesOf(content);
  const media = uploads.map((upload, index) => effectMediaOf(upload, files[index]?.altText));
  const draft = { kind: 'post.created', id, text, at: createdAt, ...(media.length > 0 && { media }) };
  const { effect, line } = linkedin.effect(call, { account: author, grant: caller.grant }, draft);
  linkedin.posts.keep(post, line);
  const created = { status: 201, headers: {}, body: '' };
  return { ...withHeaders(created, { 'x-restli-id': id, 'x-linkedin-id': id }), effect };
}

export function effectMediaOf({ kind, complete, totalBytes }: LinkedInUpload, altText?: string): EffectMedia {
  const bytes = complete?.content?.bytes ?? totalBytes ?? 0;
  return { category: kind, ...complete?.content, bytes, ...(altText !== undefined && { altText }) };
}

function postView(linkedin: LinkedIn, post: LinkedInPost): Record<string, unknown> {
  const author = linkedin.accounts.find(post.authorId);
  const at = Date.parse(post.createdAt);
  return {
    id: post.id,
    author: author && urnOf(author),
    commentary: post.commentary,
    visibility: post.visibility,
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    ...(Object.keys(post.content).length > 0 && { content: post.content }),
    createdAt: at,
    publishedAt: at,
    lastModifiedAt: at,
  };
}

/** GET /rest/posts?q=author. Posts of members need a permission that the app does not have. */
export const findPosts: Handle = (linkedin, call, { account, grant }) => {
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
};

/** DELETE /rest/posts/{urn}. Deleting twice succeeds. */
export const deletePost: Handle = (linkedin, call, caller) => {
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
};
