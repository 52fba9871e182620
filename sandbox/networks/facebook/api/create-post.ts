import type { EffectMedia } from '../../../ledger/effect.js';
import { json, type SandboxResponse } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import { graphProblem, parameterProblem } from '../../graph/graph-problems.js';
import type { FacebookAccount } from '../state/facebook-accounts.js';
import type { FacebookUpload } from '../state/facebook-uploads.js';
import type { Facebook, FacebookPost } from '../state/facebook.js';
import { isRefused, ownPage } from './own-page.js';
import type { Caller } from './signed-in.js';

const MAX_MESSAGE = 63_206;

/** POST /{page}/feed */
export function createPost(facebook: Facebook, call: Call, caller: Caller): SandboxResponse {
  const page = ownPage(facebook, call.params.page ?? '', caller);
  if (isRefused(page)) return page;
  const [message, link] = [(call.form.get('message') ?? '').trim(), call.form.get('link')];
  const photos = attachedIn(facebook, page, call.form);
  if (isRefused(photos)) return photos;
  const refused =
    refusedText(message, link, photos.length) ?? refusedDuplicate(facebook, page, message, photos);
  if (refused) return refused;
  const { post, response } = publish(facebook, call, caller, { page, text: message, link, media: photos });
  return { ...json(200, { id: post.id }), effect: response };
}

export interface PostDraft {
  readonly page: FacebookAccount;
  readonly text: string;
  readonly link: string | null;
  readonly title?: string;
  readonly media: readonly FacebookUpload[];
  /** Of a video: the post is known by it. */
  readonly knownAs?: string;
}

/** Counts the effect and stores the post with it. */
export function publish(facebook: Facebook, call: Call, caller: Caller, draft: PostDraft) {
  const { page, text, link, title, media, knownAs } = draft;
  const createdAt = facebook.clock.now().toISOString();
  const id = `${page.id}_${facebook.ids.next()}`;
  const post: FacebookPost = {
    id,
    authorId: page.id,
    text,
    createdAt,
    link,
    ...(title !== undefined && { title }),
    ...(media.length > 0 && { mediaIds: media.map((upload) => upload.id) }),
  };
  const { effect, line } = facebook.effect(call, caller, {
    kind: 'post.created',
    id: knownAs ?? id,
    text,
    media: media.map(effectOf),
    madeWithAi: media.some(({ isAiGenerated }) => isAiGenerated === true),
  });
  facebook.posts.keep(post, line);
  for (const upload of media) facebook.uploads.change(upload.id, { postId: id });
  return { post, response: effect };
}

export const effectOf = ({ kind, content, altText, totalBytes = 0 }: FacebookUpload): EffectMedia => ({
  category: kind,
  bytes: content?.bytes ?? totalBytes,
  ...(content && {
    sha256: content.sha256,
    contentType: content.contentType,
    width: content.width,
    height: content.height,
    durationMs: content.durationMs,
  }),
  ...(altText !== null && { altText }),
});

/** `attached_media[0]={"media_fbid":"1"}`, in the order of the indexes. */
function attachedIn(
  facebook: Facebook,
  page: FacebookAccount,
  form: URLSearchParams,
): FacebookUpload[] | SandboxResponse {
  const now = facebook.clock.now().getTime();
  const photos: FacebookUpload[] = [];
  for (let index = 0; form.has(`attached_media[${index}]`); index += 1) {
    const upload = facebook.uploads.find(idIn(form.get(`attached_media[${index}]`) ?? ''));
    const isUsable = upload?.pageId === page.id && upload.kind === 'photo' && upload.expiresAt > now;
    if (!isUsable || upload.postId !== null)
      return graphProblem(parameterProblem('Param attached_media must be a valid list of photos'));
    photos.push(upload);
  }
  return photos;
}

function idIn(attached: string): string {
  try {
    const { media_fbid: id } = JSON.parse(attached) as { media_fbid?: unknown };
    return String(id);
  } catch {
    return '';
  }
}

function refusedText(message: string, link: string | null, photos: number): SandboxResponse | undefined {
  if (message === '' && link === null && photos === 0)
    return graphProblem(parameterProblem('Missing message or attachment'));
  if ([...message].length > MAX_MESSAGE) return graphProblem(parameterProblem('Param message is too long'));
  if (link === null) return undefined;
  const url = URL.parse(link);
  if (!url || !/^https?:$/.test(url.protocol))
    return graphProblem({ code: 1500, message: 'The url you supplied is invalid' });
  if (url.hostname.endsWith('.invalid'))
    return graphProblem({
      code: 100,
      subcode: 1_609_005,
      message: 'Invalid parameter. The link could not be scraped',
    });
  return undefined;
}

function refusedDuplicate(
  facebook: Facebook,
  page: FacebookAccount,
  message: string,
  photos: readonly FacebookUpload[],
): SandboxResponse | undefined {
  const same =
    message === '' || photos.length > 0 ? undefined : facebook.posts.newestWithText(page.id, message);
  const age = same ? facebook.clock.now().getTime() - Date.parse(same.createdAt) : Infinity;
  if (age >= facebook.settings.duplicateWindowSeconds * 1000) return undefined;
  return graphProblem({
    code: 506,
    message: '(#506) Duplicate status message',
    title: 'Duplicate status update',
    userMessage: 'This status update is identical to the last one you posted.',
  });
}
