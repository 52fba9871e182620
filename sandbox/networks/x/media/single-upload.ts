import { invalidRequest } from '../state/problems.js';
import { newUpload } from './chunked-upload.js';
import { finalize } from './finalize.js';
import { mustFitCategory, parseMetadata } from './media.body.js';
import { MAX_BYTES } from './read-media.js';
import { sentBytes } from './sent-bytes.js';
import { type Handle, isRefused, ownUpload, recorded } from './upload.js';
import { CATEGORIES, type MediaCategory, segmentName } from '../state/x-uploads.js';
import { json } from '../../../wire/response.js';

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
  if (isRefused(upload)) return upload;
  if (upload.category !== 'tweet_image') return invalidRequest('Alt text is supported for images only.');
  const altText = metadata.alt_text.text;
  const changed = x.uploads.change(id, { altText });
  const response = json(200, { data: { id, associated_metadata: metadata } });
  const media = { category: upload.category, bytes: upload.totalBytes, altText };
  return recorded(x, call, caller, { kind: 'media.described', upload: changed, media }, response);
};
