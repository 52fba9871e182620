import type { Call } from '../../../wire/call.js';
import { type SandboxResponse, withHeaders } from '../../../wire/response.js';
import type { EffectMedia } from '../../../ledger/effect.js';
import { type LinkedInAccount, urnOf } from '../state/linkedin-accounts.js';
import { filesOf, type LinkedInPost } from '../state/linkedin-posts.js';
import { type LinkedInUpload, stateOf, uploadIdIn } from '../state/linkedin-uploads.js';
import type { LinkedIn } from '../state/linkedin.js';
import { shownText } from '../state/little-text.js';
import { denied, duplicateOf, invalid, invalidField, tooMany } from '../state/problems.js';
import { BodyIsInvalid, parsePost, type PostBody } from './post.body.js';
import { type Caller, mayActAs } from './signed-in.js';

const DAY_SECONDS = 86_400;
/** Newest posts of an author that are compared. */
const COMPARED = 500;

/** POST /rest/posts */
export function createPost(linkedin: LinkedIn, call: Call, caller: Caller): SandboxResponse {
  const body = bodyOf(call);
  if ('status' in body) return body;
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
}

function bodyOf(call: Call): PostBody | SandboxResponse {
  try {
    return parsePost(call.json?.value);
  } catch (error) {
    if (!(error instanceof BodyIsInvalid)) throw error;
    return invalidField(error.field, error.code, error.message);
  }
}

function refusedFiles(
  linkedin: LinkedIn,
  { id: authorId }: LinkedInAccount,
  uploads: readonly (LinkedInUpload | undefined)[],
): SandboxResponse | undefined {
  for (const upload of uploads) {
    if (upload?.ownerId !== authorId) return invalid('The media is not owned by the author of the post');
    if (uploads.length > 1 && upload.kind === 'video')
      return invalid('A video cannot be shown with other media');
    const state = stateOf(upload, linkedin.clock.now().getTime());
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
  const since = linkedin.clock.now().getTime() - linkedin.settings.duplicateWindowSeconds * 1000;
  const wanted = JSON.stringify([commentary, content]);
  const twin = linkedin.posts
    .by(id)
    .slice(-COMPARED)
    .find((post) => JSON.stringify([post.commentary, post.content]) === wanted);
  return twin && Date.parse(twin.createdAt) > since ? duplicateOf(twin.id) : undefined;
}

/** Daily limits begin again at midnight UTC. */
function takesPost({ windows, clock, settings }: LinkedIn, { id }: LinkedInAccount): boolean {
  const day = Math.floor(clock.now().getTime() / (DAY_SECONDS * 1000));
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

/** A post as GET /rest/posts shows it. */
export function postView(linkedin: LinkedIn, post: LinkedInPost): Record<string, unknown> {
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
