import type { X } from '../state/x.js';
import { mediaKeyOf, type XUpload } from '../state/x-uploads.js';

/** X asks to check again after at most so many seconds. */
const LONGEST_CHECK_SECONDS = 5;

/** MediaUploadResponse data. */
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
