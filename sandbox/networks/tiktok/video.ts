import { randomBytes } from 'node:crypto';
import type { Call } from '../../wire/call.js';
import { json, type SandboxResponse, withHeaders } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import { isSame } from '../kit/state/digests.js';
import type { Caller, Handle } from './creator.js';
import { decideVideo } from './decide.js';
import { readPostInfo, refusedPost } from './post-info.js';
import { partName, type Publication, receivedBytes, type VideoUpload } from './tiktok-records.js';
import { data } from './tiktok-responses.js';
import type { TikTok } from './tiktok.js';

/** media-transfer-guide, "Chunk restrictions". It does not say whether a MB has 1 000 000 or 1 048 576 bytes. */
const MB = 1_000_000;
const PARTS = { min: 5 * MB, max: 64 * 1_048_576, count: 1_000 };
const MAX_BYTES = 4_000 * 1_048_576;

/** POST /v2/post/publish/video/init/ */
export const initVideo: Handle = (tiktok, call, caller) => {
  const { post_info: given, source_info: source } = call.record;
  const info = readPostInfo(tiktok, given, 'video');
  const upload = readSource(source);
  if (typeof upload === 'string') return tiktok.error('invalid_params', upload);
  const refused = refusedPost(tiktok, caller, info);
  if (refused) return refused;
  const token = randomBytes(24).toString('hex');
  const until = tiktok.now + tiktok.settings.uploadUrlSeconds * 1000;
  const publication: Publication = {
    id: `v_pub_file~v2-1.${tiktok.ids.next()}`,
    accountId: caller.account.id,
    info,
    upload: { ...upload, token, until, received: [] },
    media: [],
    decision: null,
  };
  const { effect, line } = tiktok.effect(call, caller, { kind: 'upload.initialized', id: publication.id });
  tiktok.uploads.keep(publication, line);
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

/** The largest last part. */
const MAX_PART_BYTES = 128 * 1_048_576;

/** PUT of one part to the upload address: media-transfer-guide. */
export const uploadRoute = (tiktok: TikTok): Route => ({
  method: 'PUT',
  path: '/video/',
  isFile: true,
  maxBodyBytes: MAX_PART_BYTES,
  handle: (call) => tiktok.uploads.inTurn(call.query.get('upload_id') ?? '', () => receive(tiktok, call)),
});

async function receive(tiktok: TikTok, call: Call): Promise<SandboxResponse> {
  const publication = tiktok.uploads.find(call.query.get('upload_id') ?? '');
  const upload = publication?.upload;
  const caller = publication && callerOf(tiktok, publication);
  if (!upload || !caller || publication.decision !== null) return problem(404);
  if (!isSame(call.query.get('upload_token') ?? '', upload.token)) return problem(403);
  if (upload.until <= tiktok.now) return problem(403);
  const refused = refusedPart(call, upload);
  if (refused !== undefined) return problem(refused);
  const { path = '', bytes = 0 } = call.file ?? {};
  await tiktok.files.take(path, partName(publication.id, upload.received.length));
  const received = [...upload.received, bytes];
  const media = [{ category: 'video', bytes, segment: upload.received.length }];
  const { effect, line } = tiktok.effect(call, caller, { kind: 'media.appended', id: publication.id, media });
  const changed = tiktok.uploads.keep({ ...publication, upload: { ...upload, received } }, line);
  const sent = receivedBytes({ ...upload, received });
  const range = { 'content-range': `bytes 0-${sent - 1}/${upload.bytes}` };
  if (sent < upload.bytes) return { ...withHeaders(json(206, {}), range), effect };
  const created = await decideVideo(tiktok, call, caller, changed);
  return { ...withHeaders(json(201, {}), range), effect: created ?? effect };
}

/** The address acts for the account that began the upload; the token of the beginning is not known here. */
function callerOf(tiktok: TikTok, { accountId }: Publication): Caller | undefined {
  const account = tiktok.accounts.find(accountId);
  const [grant] = tiktok.grants.of(accountId);
  return account && grant && { account, grant };
}

function refusedPart({ headers, file }: Call, upload: VideoUpload): number | undefined {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
  const [start, end] = [Number(first), Number(last) + 1];
  if (total === undefined || Number(total) !== upload.bytes || file?.bytes !== end - start) return 400;
  if (start !== receivedBytes(upload)) return 416;
  const isLast = upload.received.length === upload.parts - 1;
  const expected = isLast ? upload.bytes : start + upload.partBytes;
  return end === expected ? undefined : 400;
}

const problem = (status: number): SandboxResponse => json(status, {});
