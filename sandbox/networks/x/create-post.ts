import type { EffectMedia } from '../../ledger/effect.js';
import type { Call } from '../../wire/call.js';
import { CallIsRefused, json, type SandboxResponse } from '../../wire/response.js';
import { BodyIsInvalid } from './body-checks.js';
import { type CreatePostBody, parseCreatePost } from './create-post.body.js';
import { hasInvalidCharacters, MAX_WEIGHT, shownText, weightedLength, type XPost } from './post-text.js';
import { forbidden, invalidRequest } from './problems.js';
import type { Caller, Handle } from './signed-in.js';
import { isUsable, type XUpload } from './x-uploads.js';
import type { X, XAccount } from './x.js';

const MINUTE_MS = 60_000;
/** Accounts with a subscription may show videos of 125 minutes. */
const SUBSCRIBER_MINUTES = 125;

/** The uploads that a new post shows, in their order. @throws CallIsRefused */
function attachedMedia(x: X, account: XAccount, ids: readonly string[]): readonly XUpload[] {
  const now = x.clock.now().getTime();
  const uploads = ids.flatMap((id) => x.uploads.find(id) ?? []);
  const usable = uploads.filter(
    (upload) => upload.accountId === account.id && upload.postId === null && isUsable(upload, now),
  );
  if (usable.length < ids.length || new Set(ids).size < ids.length)
    throw new CallIsRefused(invalidRequest('Your media IDs are invalid.', { 'media.media_ids': ids }));
  if (usable.length > 1 && usable.some(({ category }) => category !== 'tweet_image'))
    throw new CallIsRefused(
      invalidRequest('Only up to 4 photos, 1 animated GIF or 1 video can be attached.', {
        'media.media_ids': ids,
      }),
    );
  const minutes = account.subscriptionType === 'None' ? x.settings.maxVideoMinutes : SUBSCRIBER_MINUTES;
  const isTooLong = usable.some(
    ({ finalized }) => (finalized?.content?.durationMs ?? 0) > minutes * MINUTE_MS,
  );
  if (isTooLong) throw new CallIsRefused(forbidden('video-too-long', String(minutes)));
  return usable;
}

const effectMediaOf = ({ category, totalBytes, finalized, altText }: XUpload): EffectMedia => ({
  category,
  bytes: totalBytes,
  ...finalized?.content,
  ...(altText !== null && { altText }),
});

interface Draft {
  readonly text: string;
  readonly media: readonly XUpload[];
  readonly inReplyTo: string | null;
  readonly madeWithAi: boolean;
}

/** POST /2/tweets. @throws BodyIsInvalid */
export const createPost: Handle = (x, call, caller) => {
  const body = readBody(call);
  const text = (body.text ?? '').normalize('NFC');
  const refused = refusedForm(caller.account, text, body);
  if (refused) return refused;
  const media = attachedMedia(x, caller.account, body.media?.media_ids ?? []);
  const { reply, made_with_ai: madeWithAi = false } = body;
  const draft = { text, media, inReplyTo: reply?.in_reply_to_tweet_id ?? null, madeWithAi };
  return refusedContent(x, caller.account, draft) ?? publish(x, call, caller, draft);
};

function readBody(call: Call): CreatePostBody {
  if (call.mediaType !== 'application/json')
    throw new BodyIsInvalid('Requests with bodies must have content-type of application/json.');
  if (!call.json) throw new BodyIsInvalid('Invalid JSON: the request body could not be parsed.');
  return parseCreatePost(call.json.value);
}

function refusedForm(account: XAccount, text: string, body: CreatePostBody): SandboxResponse | undefined {
  if (body.beyondAccess.length > 0) return forbidden('not-permitted');
  if (text.trim() === '' && (!body.media || body.text !== undefined))
    return invalidRequest('The request must have either text or media.', { text: [text] });
  if (hasInvalidCharacters(text)) {
    return invalidRequest('Your Tweet text contains invalid characters.', { text: [text] });
  }
  const max = account.subscriptionType === 'None' ? MAX_WEIGHT.ordinary : MAX_WEIGHT.subscriber;
  if (weightedLength(text) <= max) return undefined;
  return invalidRequest(
    'Your Tweet text is too long. For more information on how Twitter determines text length see https://github.com/twitter/twitter-text.',
  );
}

function refusedContent(
  x: X,
  account: XAccount,
  { text, media, inReplyTo }: Draft,
): SandboxResponse | undefined {
  if (inReplyTo !== null) {
    const parent = x.posts.find(inReplyTo);
    if (!parent) return forbidden('reply-not-visible');
    if (!mayReply(account, parent)) return forbidden('reply-restricted');
  }
  const twin = media.length > 0 ? undefined : x.posts.newestWithText(account.id, text);
  const since = x.clock.now().getTime() - x.settings.duplicateWindowSeconds * 1000;
  return twin && Date.parse(twin.createdAt) > since ? forbidden('duplicate') : undefined;
}

/** Since February 2026 only authors and the users they mention may reply. X does not document threads; in practice they work. */
function mayReply(account: XAccount, parent: XPost): boolean {
  if (parent.authorId === account.id) return true;
  const mentions = parent.text.toLowerCase().matchAll(/@([a-z0-9_]{1,15})/g);
  return mentions.some(([, username]) => username === account.username.toLowerCase());
}

function publish(
  x: X,
  call: Call,
  caller: Caller,
  { text, media, inReplyTo, madeWithAi }: Draft,
): SandboxResponse {
  const id = x.ids.next();
  const parent = inReplyTo === null ? undefined : x.posts.find(inReplyTo);
  const mediaIds = media.map((upload) => upload.id);
  const post: XPost = {
    id,
    authorId: caller.account.id,
    text,
    createdAt: x.clock.now().toISOString(),
    inReplyTo,
    ...(mediaIds.length > 0 && { mediaIds }),
    conversationId: parent?.conversationId ?? id,
  };
  for (const mediaId of mediaIds) x.uploads.change(mediaId, { postId: id });
  const shown = mediaIds.length > 0 && { media: media.map(effectMediaOf) };
  const draft = { kind: 'post.created', id, text, inReplyTo, madeWithAi, at: post.createdAt, ...shown };
  const { effect, line } = x.effect(call, caller, draft);
  x.posts.keep(post, line);
  const data = { edit_history_tweet_ids: [id], id, text: shownText(post) };
  return { ...json(201, { data }), effect };
}
