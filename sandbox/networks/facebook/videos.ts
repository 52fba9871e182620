import type { Call } from '../../wire/call.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import { graphProblem, parameterProblem } from '../graph/graph-problems.js';
import { finishVideo, MAX_VIDEO_BYTES, startVideo } from './video-state.js';
import { type Caller, type Handle, type PageHandle } from './signed-in.js';
import { type FacebookAccount, type FacebookUpload, partOf, receivedOf } from './facebook-records.js';
import type { Facebook } from './facebook.js';

/** A part, and the fields of its form. */
export const MAX_TRANSFER_BYTES = 5 * 1_048_576;

/** POST /{page}/videos: `upload_phase` is start, transfer or finish. */
export const videos: PageHandle = async (facebook, call, caller, page) => {
  const multipart = await call.multipart();
  const field = (name: string): string => {
    const value = multipart ? multipart.get(name) : call.form.get(name);
    return typeof value === 'string' ? value : '';
  };
  if (field('upload_phase') === 'start')
    return start(facebook, call, caller, page, Number(field('file_size')));
  const upload = [...facebook.uploads.all].find(({ session }) => session === field('upload_session_id'));
  if (!upload || upload.pageId !== page.id || upload.kind !== 'video' || upload.processedAt !== undefined)
    return sessionIsGone;
  if (field('upload_phase') === 'transfer') {
    const chunk = multipart?.get('video_file_chunk');
    const bytes = chunk instanceof Blob ? new Uint8Array(await chunk.arrayBuffer()) : new Uint8Array();
    return transfer(facebook, call, caller, upload, Number(field('start_offset')), bytes);
  }
  if (field('upload_phase') !== 'finish') return graphProblem(parameterProblem('upload_phase'));
  if (receivedOf(upload) !== upload.totalBytes) return sessionIsGone;
  return finishVideo(facebook, call, caller, { ...upload, kind: 'video' }, page);
};

function start(
  facebook: Facebook,
  call: Call,
  caller: Caller,
  page: FacebookAccount,
  totalBytes: number,
): SandboxResponse {
  if (!(totalBytes > 0 && totalBytes <= MAX_VIDEO_BYTES)) return graphProblem(parameterProblem('file_size'));
  const draft = { pageId: page.id, kind: 'video', session: facebook.ids.next(), totalBytes } as const;
  const { upload, effect } = startVideo(facebook, call, caller, draft);
  const session = { video_id: upload.id, upload_session_id: upload.session };
  return { ...json(200, { ...session, ...expected(facebook, upload) }), effect };
}

async function transfer(
  facebook: Facebook,
  call: Call,
  caller: Caller,
  upload: FacebookUpload,
  offset: number,
  bytes: Uint8Array,
): Promise<SandboxResponse> {
  const [received, end] = [receivedOf(upload), offset + bytes.length];
  const isRepeated = offset < received && facebook.settings.repeatedTransfer === 'accepted';
  if ((offset !== received && !isRepeated) || bytes.length === 0 || end > (upload.totalBytes ?? 0))
    return wrongOffset(facebook, upload);
  await facebook.files.write(partOf(upload.id, offset), bytes);
  const { parts } = facebook.uploads.find(upload.id) ?? upload;
  const changed = facebook.uploads.change(upload.id, { parts: { ...parts, [offset]: bytes.length } });
  const media = [{ category: 'video', bytes: bytes.length, segment: offset }];
  const draft = { kind: 'video.part', id: upload.id, media };
  return facebook.report(call, caller, draft, json(200, expected(facebook, changed)));
}

/** Offsets are strings; equal ones: nothing is missing. */
function expected(facebook: Facebook, upload: FacebookUpload): Record<string, string> {
  const start = receivedOf(upload);
  const end = Math.min(start + facebook.settings.transferBytes, upload.totalBytes ?? 0);
  return { start_offset: String(start), end_offset: String(end) };
}

/** The response names the offsets that Facebook expects. */
function wrongOffset(facebook: Facebook, upload: FacebookUpload): SandboxResponse {
  const error = {
    message: 'There was a problem uploading your video file. Please try again with another file.',
    type: 'OAuthException',
    code: 6001,
    error_subcode: 1_363_037,
    error_data: expected(facebook, upload),
    is_transient: false,
  };
  return json(400, { error });
}

const sessionIsGone = graphProblem({
  code: 6000,
  subcode: 1_363_019,
  message: 'There was a problem uploading your video file. Please try again.',
});

/** POST /{page}/video_reels: `upload_phase` is start or finish. */
export const reels: PageHandle = async (facebook, call, caller, page) => {
  if (call.form.get('upload_phase') === 'start') {
    const { upload, effect } = startVideo(facebook, call, caller, { pageId: page.id, kind: 'reel' });
    const upload_url = `${facebook.baseUrl}/facebook-upload/video-upload/v25.0/${upload.id}`;
    return { ...json(200, { video_id: upload.id, upload_url }), effect };
  }
  const upload = facebook.uploads.find(call.form.get('video_id') ?? '');
  if (call.form.get('upload_phase') !== 'finish' || upload?.kind !== 'reel' || upload.pageId !== page.id)
    return graphProblem(parameterProblem('video_id'));
  if (upload.processedAt !== undefined || receivedOf(upload) !== upload.totalBytes)
    return graphProblem({ code: 6000, subcode: 1_363_019, message: 'The video is not uploaded.' });
  if (call.form.get('video_state') !== 'PUBLISHED') return graphProblem(parameterProblem('video_state'));
  return finishVideo(facebook, call, caller, { ...upload, kind: 'reel' }, page);
};

/** POST rupload.facebook.com/video-upload/{version}/{video}: the bytes from `offset` to the end of the file. */
export const uploadReel: Handle = async (facebook, call, caller) => {
  const upload = facebook.uploads.find(call.params.id ?? '');
  const [offset, totalBytes] = [Number(call.headers.offset), Number(call.headers.file_size)];
  if (upload?.kind !== 'reel' || upload.pageId !== caller.account.id || !call.file) return unknownVideo;
  if (offset !== receivedOf(upload) || !(totalBytes > 0) || offset + call.file.bytes > totalBytes)
    return json(400, { debug_info: { retriable: true, type: 'OffsetInvalidError', message: 'offset' } });
  await facebook.files.take(call.file.path, partOf(upload.id, offset));
  const parts = { ...upload.parts, [offset]: call.file.bytes };
  facebook.uploads.change(upload.id, { parts, totalBytes });
  const media = [{ category: 'reel', bytes: call.file.bytes, segment: offset }];
  const draft = { kind: 'video.part', id: upload.id, media };
  return facebook.report(call, caller, draft, json(200, { success: true }));
};

const unknownVideo = json(400, {
  debug_info: { retriable: false, type: 'ProcessingFailedError', message: 'Unknown video' },
});
