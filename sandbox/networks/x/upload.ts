import type { EffectMedia } from '../../ledger/effect.js';
import type { Call } from '../../wire/call.js';
import { CallIsRefused, json, type SandboxResponse } from '../../wire/response.js';
import { type MediaContent, MediaIsRefused } from '../kit/media/media-content.js';
import { readMedia, refusalOf } from './media.body.js';
import { forbidden, invalidRequest, noSuchMedia } from './problems.js';
import type { Caller } from './signed-in.js';
import { type Finalized, mediaKeyOf, type ProcessingError, segmentNames, type XUpload } from './x-uploads.js';
import type { X } from './x.js';

/** X asks to check again after at most so many seconds. */
const LONGEST_CHECK_SECONDS = 5;

export function uploadView(x: X, upload: XUpload): Record<string, unknown> {
  const now = x.clock.now().getTime();
  const processing = processingInfo(upload, now);
  return {
    id: upload.id,
    media_key: mediaKeyOf(upload),
    expires_after_secs: Math.max(0, Math.floor((upload.expiresAt - now) / 1000)),
    ...(upload.finalized?.content && { size: upload.finalized.content.bytes }),
    ...(processing && { processing_info: processing }),
  };
}

/** The first third of the time is `pending`. */
function processingInfo({ finalized }: XUpload, now: number): Record<string, unknown> | null {
  if (!finalized?.processing) return null;
  const { from, until, error } = finalized.processing;
  if (now >= until) return error ? { state: 'failed', error } : { state: 'succeeded', progress_percent: 100 };
  const share = (now - from) / (until - from);
  const seconds = Math.min(LONGEST_CHECK_SECONDS, Math.ceil((until - now) / 1000));
  if (share < 1 / 3) return { state: 'pending', check_after_secs: seconds };
  return { state: 'in_progress', check_after_secs: seconds, progress_percent: Math.floor(share * 100) };
}

/** The upload that the call names, if it can still be changed. @throws CallIsRefused */
export function ownUpload(x: X, id: string, { account }: Caller): XUpload {
  const upload = x.uploads.find(id);
  if (!upload || upload.expiresAt <= x.clock.now().getTime()) throw new CallIsRefused(noSuchMedia(id));
  if (upload.accountId !== account.id) throw new CallIsRefused(forbidden('not-your-media'));
  return upload;
}

export function recorded(
  x: X,
  call: Call,
  caller: Caller,
  what: { readonly kind: string; readonly upload: XUpload; readonly media: EffectMedia },
  response: SandboxResponse = json(200, { data: uploadView(x, what.upload) }),
): SandboxResponse {
  return x.report(call, caller, { kind: what.kind, id: what.upload.id, media: [what.media] }, response);
}

const INVALID_MEDIA: ProcessingError = {
  code: 1,
  name: 'InvalidMedia',
  message: 'InvalidMedia',
};

/** Joins the segments and reads the bytes. An image is refused at once, a GIF or a video fails its processing. */
export async function finalize(x: X, call: Call, caller: Caller, upload: XUpload): Promise<SandboxResponse> {
  await x.files.join(upload.id, segmentNames(upload.id, upload.segments));
  const content = await readMedia(x.files.path(upload.id), upload.category).catch(unreadable);
  x.files.remove(...segmentNames(upload.id, upload.segments));
  if (upload.category === 'tweet_image' && content instanceof MediaIsRefused)
    return invalidRequest(refusalOf(content));
  const finalized = finalizedAs(x, upload, content instanceof MediaIsRefused ? null : content);
  const changed = x.uploads.change(upload.id, { finalized });
  const media = { category: upload.category, bytes: upload.totalBytes, ...finalized.content };
  return recorded(x, call, caller, { kind: 'media.finalized', upload: changed, media });
}

function finalizedAs(x: X, { category }: XUpload, content: MediaContent | null): Finalized {
  if (category === 'tweet_image') return { content, processing: null };
  const { mediaProcessingSeconds, mediaProcessingError } = x.settings;
  const from = x.clock.now().getTime();
  const named = mediaProcessingError === null ? null : { ...INVALID_MEDIA, name: mediaProcessingError };
  const error = content === null ? INVALID_MEDIA : named;
  return { content, processing: { from, until: from + mediaProcessingSeconds * 1000, error } };
}

function unreadable(error: unknown): MediaIsRefused {
  if (error instanceof MediaIsRefused) return error;
  throw error;
}
