import type { EffectMedia } from '../../ledger/effect.js';
import type { Call } from '../../wire/call.js';
import { json } from '../../wire/response.js';
import { GraphCallIsRefused, parameterProblem, type GraphProblem } from '../graph/graph-problems.js';
import { type Caller, type PageHandle } from './signed-in.js';
import type { FacebookAccount, FacebookUpload } from './facebook-records.js';
import type { Facebook, FacebookPost } from './facebook.js';

const MAX_MESSAGE = 63_206;

/** POST /{page}/feed */
export const createPost: PageHandle = (facebook, call, caller, page) => {
  const [message, link] = [(call.form.get('message') ?? '').trim(), call.form.get('link')];
  const photos = attachedIn(facebook, page, call.form);
  const refused =
    refusedText(message, link, photos.length) ?? refusedDuplicate(facebook, page, message, photos);
  if (refused) throw new GraphCallIsRefused(refused);
  const { post, response } = publish(facebook, call, caller, { page, text: message, link, media: photos });
  return { ...json(200, { id: post.id }), effect: response };
};

interface PostDraft {
  readonly page: FacebookAccount;
  readonly text: string;
  readonly link: string | null;
  readonly title?: string;
  readonly media: readonly FacebookUpload[];
  /** Of a video: the post is known by it. */
  readonly knownAs?: string;
}

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

/** `attached_media[0]={"media_fbid":"1"}`, in the order of the indexes. @throws GraphCallIsRefused */
function attachedIn(facebook: Facebook, page: FacebookAccount, form: URLSearchParams): FacebookUpload[] {
  const photos: FacebookUpload[] = [];
  for (let index = 0; form.has(`attached_media[${index}]`); index += 1) {
    const upload = facebook.uploads.find(idIn(form.get(`attached_media[${index}]`) ?? ''));
    const isUsable = upload?.pageId === page.id && upload.kind === 'photo' && upload.expiresAt > facebook.now;
    if (!isUsable || upload.postId !== null)
      throw new GraphCallIsRefused(parameterProblem('Param attached_media must be a valid list of photos'));
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

function refusedText(message: string, link: string | null, photos: number): GraphProblem | undefined {
  if (message === '' && link === null && photos === 0)
    return parameterProblem('Missing message or attachment');
  if ([...message].length > MAX_MESSAGE) return parameterProblem('Param message is too long');
  if (link === null) return undefined;
  const url = URL.parse(link);
  if (!url || !/^https?:$/.test(url.protocol))
    return { code: 1500, message: 'The url you supplied is invalid' };
  if (url.hostname.endsWith('.invalid'))
    return {
      code: 100,
      subcode: 1_609_005,
      message: 'Invalid parameter. The link could not be scraped',
    };
  return undefined;
}

function refusedDuplicate(
  facebook: Facebook,
  page: FacebookAccount,
  message: string,
  photos: readonly FacebookUpload[],
): GraphProblem | undefined {
  const same =
    message === '' || photos.length > 0 ? undefined : facebook.posts.newestWithText(page.id, message);
  const age = same ? facebook.now - Date.parse(same.createdAt) : Infinity;
  if (age >= facebook.settings.duplicateWindowSeconds * 1000) return undefined;
  return {
    code: 506,
    message: '(#506) Duplicate status message',
    title: 'Duplicate status update',
    userMessage: 'This status update is identical to the last one you posted.',
  };
}
