import { json, type SandboxResponse } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import { graphProblem, parameterProblem } from '../../graph/graph-problems.js';
import { partOf, receivedOf } from '../state/facebook-uploads.js';
import type { Facebook } from '../state/facebook.js';
import { isRefused, ownPage } from './own-page.js';
import type { Caller } from './signed-in.js';
import { finishVideo, startVideo } from './video-state.js';

/** POST /{page}/video_reels: `upload_phase` is start or finish. */
export async function reels(facebook: Facebook, call: Call, caller: Caller): Promise<SandboxResponse> {
  const page = ownPage(facebook, call.params.page ?? '', caller);
  if (isRefused(page)) return page;
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
}

/** POST rupload.facebook.com/video-upload/{version}/{video}: the bytes from `offset` to the end of the file. */
export async function uploadReel(facebook: Facebook, call: Call, caller: Caller): Promise<SandboxResponse> {
  const upload = facebook.uploads.find(call.params.id ?? '');
  const [offset, totalBytes] = [Number(call.headers.offset), Number(call.headers.file_size)];
  if (upload?.kind !== 'reel' || upload.pageId !== caller.account.id || !call.file) return unknownVideo;
  if (offset !== receivedOf(upload) || !(totalBytes > 0) || offset + call.file.bytes > totalBytes)
    return json(400, { debug_info: { retriable: true, type: 'OffsetInvalidError', message: 'offset' } });
  await facebook.files.take(call.file.path, partOf(upload.id, offset));
  const parts = { ...upload.parts, [offset]: call.file.bytes };
  facebook.uploads.change(upload.id, { parts, totalBytes });
  const media = [{ category: 'reel', bytes: call.file.bytes, segment: offset }];
  const { effect, line } = facebook.effect(call, caller, { kind: 'video.part', id: upload.id, media });
  facebook.journal.append(line);
  return { ...json(200, { success: true }), effect };
}

const unknownVideo = json(400, {
  debug_info: { retriable: false, type: 'ProcessingFailedError', message: 'Unknown video' },
});
