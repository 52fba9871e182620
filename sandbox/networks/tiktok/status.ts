import type { Handle } from './creator.js';
import { type Publication, receivedBytes } from './tiktok-records.js';
import { data } from './tiktok-responses.js';
import type { TikTok } from './tiktok.js';

/** POST /v2/post/publish/status/fetch/: content-posting-api-reference-get-video-status. */
export const fetchStatus: Handle = (tiktok, call, { account }) => {
  const publication = publicationIn(tiktok, call.record.publish_id);
  if (!publication) return tiktok.error('invalid_publish_id');
  if (publication.accountId !== account.id)
    return tiktok.error('token_not_authorized_for_specified_publish_id');
  const { upload } = publication;
  const progress = upload
    ? { uploaded_bytes: receivedBytes(upload) }
    : { downloaded_bytes: publication.media.reduce((sum, { content }) => sum + content.bytes, 0) };
  const response = data({ ...statusOf(tiktok, publication), ...progress });
  return { ...response, body: withNumbers(response.body) };
};

function statusOf(tiktok: TikTok, { upload, decision, info }: Publication): Record<string, unknown> {
  const processing = upload ? 'PROCESSING_UPLOAD' : 'PROCESSING_DOWNLOAD';
  if (decision === null || decision.from > tiktok.now) return { status: processing };
  if (decision.failReason !== null) return { status: 'FAILED', fail_reason: decision.failReason };
  const isShown = info.privacyLevel === 'PUBLIC_TO_EVERYONE' && tiktok.settings.publicPostIds === 'given';
  const ids = isShown && decision.postId !== null ? [decision.postId] : [];
  return { status: 'PUBLISH_COMPLETE', publicaly_available_post_id: ids };
}

/** TikTok writes ids of posts as numbers, which JSON.stringify cannot. */
const withNumbers = (body: string): string =>
  body.replace(/"publicaly_available_post_id":\["(\d+)"\]/, '"publicaly_available_post_id":[$1]');

const publicationIn = ({ uploads }: TikTok, id: unknown): Publication | undefined =>
  typeof id === 'string' ? uploads.find(id) : undefined;
