import type { Call } from '../../wire/call.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import { type MediaContent, MediaIsRefused } from '../kit/media/media-content.js';
import { readVideo } from '../kit/media/read-media.js';
import type { VideoLimits } from '../kit/media/video-shape.js';
import { publish } from './posts.js';
import type { Caller } from './signed-in.js';
import { type FacebookAccount, type FacebookUpload, fileOf, partOf, receivedOf } from './facebook-records.js';
import type { Facebook } from './facebook.js';

export const MAX_VIDEO_BYTES = 10_000_000_000;
const LIMITS: Readonly<Record<'video' | 'reel', VideoLimits>> = {
  video: { containers: ['mp4', 'mov'], maxBytes: MAX_VIDEO_BYTES, codecs: ['avc', 'hevc', 'vp9', 'av1'] },
  reel: {
    containers: ['mp4'],
    maxBytes: MAX_VIDEO_BYTES,
    codecs: ['avc', 'hevc', 'vp9', 'av1'],
    minMs: 3_000,
    maxMs: 90_500,
    minSide: 540,
    minRatio: 0.55,
    maxRatio: 0.575,
  },
};
const DAY_MS = 86_400_000;

export function startVideo(
  facebook: Facebook,
  call: Call,
  caller: Caller,
  draft: Pick<FacebookUpload, 'pageId' | 'kind' | 'session' | 'totalBytes'>,
) {
  const expiresAt = facebook.now + DAY_MS;
  const rest = { content: null, altText: null, postId: null, expiresAt, parts: {} };
  const upload = facebook.uploads.keep({ id: facebook.ids.next(), ...draft, ...rest });
  const { effect, line } = facebook.effect(call, caller, { kind: 'video.started', id: upload.id });
  facebook.journal.append(line);
  return { upload, effect };
}

/** Joins and reads the bytes, and publishes the post; a video that cannot be shown is accepted, and its processing fails. */
export async function finishVideo(
  facebook: Facebook,
  call: Call,
  caller: Caller,
  upload: FacebookUpload & { readonly kind: 'video' | 'reel' },
  page: FacebookAccount,
): Promise<SandboxResponse> {
  const { videoProcessingSeconds, videoProcessingError } = facebook.settings;
  const content = await contentOf(facebook, upload);
  const error = videoProcessingError ?? (content instanceof MediaIsRefused ? content.problem : null);
  const done = facebook.uploads.change(upload.id, {
    content: content instanceof MediaIsRefused ? null : content,
    processedAt: facebook.now + videoProcessingSeconds * 1000,
    processingError: error,
    isAiGenerated: call.form.get('is_ai_generated') === 'true',
  });
  if (error !== null) return json(200, { success: true });
  const [text, title] = [call.form.get('description') ?? '', call.form.get('title') ?? undefined];
  const draft = { page, text, link: null, media: [done], knownAs: upload.id };
  const { response } = publish(facebook, call, caller, { ...draft, ...(title !== undefined && { title }) });
  return { ...json(200, { success: true }), effect: response };
}

async function contentOf(
  facebook: Facebook,
  { id, kind, parts = {} }: FacebookUpload & { readonly kind: 'video' | 'reel' },
): Promise<MediaContent | MediaIsRefused> {
  const offsets = Object.keys(parts)
    .map(Number)
    .sort((left, right) => left - right);
  try {
    await facebook.files.join(
      fileOf(id),
      offsets.map((offset) => partOf(id, offset)),
    );
    return await readVideo(facebook.files.path(fileOf(id)), LIMITS[kind]);
  } catch (error) {
    if (error instanceof MediaIsRefused) return error;
    throw error;
  } finally {
    facebook.files.remove(...offsets.map((offset) => partOf(id, offset)));
  }
}

/** GET /{video}: `status` and `permalink_url`. */
export function videoView(
  facebook: Facebook,
  upload: FacebookUpload,
  page: FacebookAccount,
): SandboxResponse {
  const { id, kind, processedAt, processingError = null, totalBytes } = upload;
  const sent = receivedOf(upload);
  const isProcessed = processedAt !== undefined && processedAt <= facebook.now;
  const isFailed = isProcessed && processingError !== null;
  const finished = isFailed ? 'error' : isProcessed ? 'complete' : 'in_progress';
  const state =
    processedAt === undefined ? 'uploading' : isFailed ? 'error' : isProcessed ? 'ready' : 'processing';
  const phase = processedAt === undefined ? 'not_started' : finished;
  const isComplete = totalBytes !== undefined && sent === totalBytes;
  return json(200, {
    id,
    status: {
      video_status: state,
      uploading_phase: { status: isComplete ? 'complete' : 'in_progress', bytes_transfered: sent },
      processing_phase: { status: phase },
      publishing_phase: { status: isProcessed && !isFailed ? 'complete' : 'not_started' },
    },
    permalink_url: kind === 'reel' ? `/reel/${id}/` : `/${page.username}/videos/${id}/`,
  });
}
