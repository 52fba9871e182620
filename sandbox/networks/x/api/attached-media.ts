import type { EffectMedia } from '../../../ledger/effect.js';
import type { SandboxResponse } from '../../../wire/response.js';
import { forbidden, invalidRequest } from '../state/problems.js';
import type { X } from '../state/x.js';
import type { XAccount } from '../state/x-accounts.js';
import { isUsable, type XUpload } from '../state/x-uploads.js';

const MINUTE_MS = 60_000;
/** Accounts with a subscription may show videos of 125 minutes. */
const SUBSCRIBER_MINUTES = 125;

/** The uploads that a new post shows, in their order, or X's refusal. */
export function attachedMedia(
  x: X,
  account: XAccount,
  ids: readonly string[],
): readonly XUpload[] | SandboxResponse {
  const now = x.clock.now().getTime();
  const uploads = ids.flatMap((id) => x.uploads.find(id) ?? []);
  const usable = uploads.filter(
    (upload) => upload.accountId === account.id && upload.postId === null && isUsable(upload, now),
  );
  if (usable.length < ids.length || new Set(ids).size < ids.length)
    return invalidRequest('Your media IDs are invalid.', { 'media.media_ids': ids });
  if (usable.length > 1 && usable.some(({ category }) => category !== 'tweet_image'))
    return invalidRequest('Only up to 4 photos, 1 animated GIF or 1 video can be attached.', {
      'media.media_ids': ids,
    });
  const minutes = account.subscriptionType === 'None' ? x.settings.maxVideoMinutes : SUBSCRIBER_MINUTES;
  const isTooLong = usable.some(
    ({ finalized }) => (finalized?.content?.durationMs ?? 0) > minutes * MINUTE_MS,
  );
  return isTooLong ? forbidden('video-too-long', String(minutes)) : usable;
}

export const effectMediaOf = ({ category, totalBytes, finalized, altText }: XUpload): EffectMedia => ({
  category,
  bytes: totalBytes,
  ...finalized?.content,
  ...(altText !== null && { altText }),
});
