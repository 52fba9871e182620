import type { SandboxResponse } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import type { Caller } from '../api/signed-in.js';
import { invalidRequest } from '../state/problems.js';
import type { X } from '../state/x.js';
import { type MediaContent, MediaIsRefused } from '../../kit/media/media-content.js';
import { readMedia, refusalOf } from './read-media.js';
import { recorded } from './upload.js';
import { type Finalized, type ProcessingError, segmentNames, type XUpload } from '../state/x-uploads.js';

/** What X names for a file that it could not use. */
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
