import type { Call } from '../../wire/call.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import { BodyIsInvalid } from './body-checks.js';
import { MAX_BYTES, mustFitCategory, parseInitialize, parseMetadata, sentBytes } from './media.body.js';
import { invalidRequest } from './problems.js';
import type { Caller, Handle } from './signed-in.js';
import { finalize, ownUpload, recorded, uploadView } from './upload.js';
import { CATEGORIES, type MediaCategory, segmentName, type XUpload } from './x-uploads.js';
import type { X } from './x.js';

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
  return json(200, { data: uploadView(x, upload) });
};

function newUpload(
  x: X,
  draft: Pick<XUpload, 'accountId' | 'category' | 'mediaType' | 'totalBytes'>,
): XUpload {
  const expiresAt = x.now + x.settings.mediaExpirySeconds * 1000;
  const rest = { expiresAt, segments: {}, finalized: null, altText: null, postId: null };
  return x.uploads.keep({ id: x.ids.next(), ...draft, ...rest });
}

function segmentIndexIn(text: string | undefined): number {
  if (text === undefined || !/^\d{1,3}$/.test(text) || Number(text) > MAX_SEGMENT_INDEX)
    throw new BodyIsInvalid('segment_index: is not a whole number from 0 to 999');
  return Number(text);
}

/** POST /2/media/upload: a whole image in one call. */
export const uploadWhole: Handle = async (x, call, caller) => {
  const { fields, bytes, contentType } = await sentBytes(call);
  const category = fields.media_category as MediaCategory | undefined;
  if (category === undefined || !CATEGORIES.includes(category) || category === 'tweet_video')
    return invalidRequest(
      '$.media_category: does not have a value in the enumeration [tweet_image, tweet_gif]',
    );
  const mediaType = fields.media_type ?? contentType ?? '';
  mustFitCategory(mediaType, category);
  if (bytes.length > MAX_BYTES[category]) return invalidRequest('File size exceeds 5242880 bytes.');
  const draft = { accountId: caller.account.id, category, mediaType, totalBytes: bytes.length };
  const { id } = newUpload(x, draft);
  await x.files.write(segmentName(id, 0), bytes);
  return finalize(x, call, caller, x.uploads.change(id, { segments: { 0: bytes.length } }));
};

/** POST /2/media/metadata: the description of an image. */
export const describeMedia: Handle = (x, call, caller) => {
  if (!call.json) return invalidRequest('Invalid JSON: the request body could not be parsed.');
  const { id, metadata } = parseMetadata(call.json.value);
  const upload = ownUpload(x, id, caller);
  if (upload.category !== 'tweet_image') return invalidRequest('Alt text is supported for images only.');
  const altText = metadata.alt_text.text;
  const changed = x.uploads.change(id, { altText });
  const response = json(200, { data: { id, associated_metadata: metadata } });
  const media = { category: upload.category, bytes: upload.totalBytes, altText };
  return recorded(x, call, caller, { kind: 'media.described', upload: changed, media }, response);
};
