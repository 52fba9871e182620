import { randomBytes } from 'node:crypto';
import type { Call } from '../../../wire/call.js';
import type { Publication, VideoUpload } from '../state/tiktok-publications.js';
import { data } from '../state/tiktok-responses.js';
import { readPostInfo, refusedPost } from './post-info.js';
import type { Handle } from './signed-in.js';

/** media-transfer-guide, "Chunk restrictions". It does not say whether a MB has 1 000 000 or 1 048 576 bytes. */
const MB = 1_000_000;
const PARTS = { min: 5 * MB, max: 64 * 1_048_576, count: 1_000 };
const MAX_BYTES = 4_000 * 1_048_576;

/** POST /v2/post/publish/video/init/ */
export const initVideo: Handle = (tiktok, call, caller) => {
  const { post_info: given, source_info: source } = bodyOf(call);
  const info = readPostInfo(tiktok, given, 'video');
  if ('status' in info) return info;
  const upload = readSource(source);
  if (typeof upload === 'string') return tiktok.error('invalid_params', upload);
  const refused = refusedPost(tiktok, caller, info);
  if (refused) return refused;
  const token = randomBytes(24).toString('hex');
  const until = tiktok.clock.now().getTime() + tiktok.settings.uploadUrlSeconds * 1000;
  const publication: Publication = {
    id: `v_pub_file~v2-1.${tiktok.ids.next()}`,
    accountId: caller.account.id,
    info,
    upload: { ...upload, token, until, received: [] },
    media: [],
    decision: null,
  };
  const { effect, line } = tiktok.effect(call, caller, { kind: 'upload.initialized', id: publication.id });
  tiktok.publications.keep(publication, line);
  const query = new URLSearchParams({ upload_id: publication.id, upload_token: token }).toString();
  const answer = {
    publish_id: publication.id,
    upload_url: `${tiktok.baseUrl}/tiktok-upload/video/?${query}`,
  };
  return { ...data(answer), effect };
};

type Source = Pick<VideoUpload, 'bytes' | 'partBytes' | 'parts'>;

/** `source_info` of FILE_UPLOAD; a sentence when it is none. The sandbox does not pull videos. */
function readSource(value: unknown): Source | string {
  const { source, video_size, chunk_size, total_chunk_count } = (value ?? {}) as Record<string, unknown>;
  if (source !== 'FILE_UPLOAD') return 'source is FILE_UPLOAD here.';
  const [bytes, partBytes, parts] = [video_size, chunk_size, total_chunk_count];
  if (!isCount(bytes) || !isCount(partBytes) || !isCount(parts)) return 'The sizes are whole numbers.';
  if (bytes > MAX_BYTES) return 'video_size is too large.';
  if (parts > PARTS.count) return 'total_chunk_count is at most 1000.';
  if (bytes < PARTS.min && partBytes !== bytes) return 'A video below 5 MB is sent as a whole.';
  if (bytes >= PARTS.min && (partBytes < PARTS.min || partBytes > PARTS.max))
    return 'chunk_size is 5 to 64 MB.';
  if (parts !== Math.floor(bytes / partBytes))
    return 'total_chunk_count is the floor of video_size / chunk_size.';
  return { bytes, partBytes, parts };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0;

export function bodyOf(call: Call): Record<string, unknown> {
  const value = call.json?.value;
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
