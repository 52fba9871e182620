import { json, type SandboxResponse } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import { BodyIsInvalid } from '../api/body-checks.js';
import type { Caller } from '../api/signed-in.js';
import { invalidRequest } from '../state/problems.js';
import type { X } from '../state/x.js';
import { finalize } from './finalize.js';
import { parseInitialize } from './media.body.js';
import { sentBytes } from './sent-bytes.js';
import { type Handle, isRefused, ownUpload, recorded } from './upload.js';
import { uploadView } from './upload-view.js';
import { segmentName, type XUpload } from '../state/x-uploads.js';

/** Bytes of one segment (developer.x.com, "POST media/upload (APPEND)": at most 5 MB). */
const MAX_SEGMENT_BYTES = 5 * 1_048_576;
const MAX_SEGMENT_INDEX = 999;

/** POST /2/media/upload/initialize */
export const initializeUpload: Handle = (x, call, caller) => {
  if (!call.json) return invalidRequest('Invalid JSON: the request body could not be parsed.');
  const { media_type: mediaType, total_bytes: totalBytes, media_category } = parseInitialize(call.json.value);
  const draft = { accountId: caller.account.id, category: media_category, mediaType, totalBytes };
  const upload = newUpload(x, draft);
  const media = { category: media_category, bytes: totalBytes };
  return recorded(x, call, caller, { kind: 'media.initialized', upload, media });
};

/** POST /2/media/upload/:id/append. A segment that is sent again replaces itself, which X does not document. */
export const appendSegment: Handle = async (x, call, caller) => {
  const { fields, bytes } = await sentBytes(call);
  const upload = ownUpload(x, call.params.id ?? '', caller);
  if (isRefused(upload)) return upload;
  const index = segmentIndexIn(fields.segment_index);
  if (upload.finalized) return invalidRequest('The upload has been finalized.');
  if (bytes.length === 0 || bytes.length > MAX_SEGMENT_BYTES)
    return invalidRequest(`A segment has 1 to ${MAX_SEGMENT_BYTES} bytes.`);
  await x.files.write(segmentName(upload.id, index), bytes);
  const { segments } = x.uploads.find(upload.id) ?? upload;
  const changed = x.uploads.change(upload.id, { segments: { ...segments, [index]: bytes.length } });
  const response = json(200, { data: { expires_at: Math.floor(upload.expiresAt / 1000) } });
  const media = { category: upload.category, bytes: bytes.length, segment: index };
  return recorded(x, call, caller, { kind: 'media.appended', upload: changed, media }, response);
};

/** POST /2/media/upload/:id/finalize. The setting `mediaFinalizedAgain` is the response to the repeat of a call that succeeded. */
export const finalizeUpload: Handle = (x, call, caller) =>
  x.uploads.inTurn(call.params.id ?? '', () => finalizeNow(x, call, caller));

async function finalizeNow(x: X, call: Call, caller: Caller): Promise<SandboxResponse> {
  const upload = ownUpload(x, call.params.id ?? '', caller);
  if (isRefused(upload)) return upload;
  if (upload.finalized && x.settings.mediaFinalizedAgain === 'refused')
    return invalidRequest('The upload has been finalized.');
  if (upload.finalized) return json(200, { data: uploadView(x, upload) });
  const indexes = Object.keys(upload.segments).map(Number);
  const bytes = Object.values(upload.segments).reduce((sum, each) => sum + each, 0);
  if (Math.max(-1, ...indexes) !== indexes.length - 1)
    return invalidRequest('Segments do not add up to provided total file size: a segment is missing.');
  if (bytes !== upload.totalBytes)
    return invalidRequest('Segments do not add up to provided total file size.');
  return finalize(x, call, caller, upload);
}

/** GET /2/media/upload?command=STATUS&media_id= */
export const uploadStatus: Handle = (x, call, caller): SandboxResponse => {
  const command = call.query.get('command');
  if (command !== 'STATUS')
    return invalidRequest(`The \`command\` query parameter value [${command ?? ''}] is not one of [STATUS]`);
  const upload = ownUpload(x, call.query.get('media_id') ?? '', caller);
  return isRefused(upload) ? upload : json(200, { data: uploadView(x, upload) });
};

export function newUpload(
  x: X,
  draft: Pick<XUpload, 'accountId' | 'category' | 'mediaType' | 'totalBytes'>,
): XUpload {
  const expiresAt = x.clock.now().getTime() + x.settings.mediaExpirySeconds * 1000;
  const rest = { expiresAt, segments: {}, finalized: null, altText: null, postId: null };
  return x.uploads.keep({ id: x.ids.next(), ...draft, ...rest });
}

function segmentIndexIn(text: string | undefined): number {
  if (text === undefined || !/^\d{1,3}$/.test(text) || Number(text) > MAX_SEGMENT_INDEX)
    throw new BodyIsInvalid('segment_index: is not a whole number from 0 to 999');
  return Number(text);
}
