import { json, type SandboxResponse } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import { graphProblem, parameterProblem } from '../../graph/graph-problems.js';
import { MediaIsNotFetched, fetchMedia } from '../../kit/media/fetched-media.js';
import { type MediaContent, MediaIsRefused } from '../../kit/media/media-content.js';
import { readImage } from '../../kit/media/read-image.js';
import { fileOf } from '../state/facebook-uploads.js';
import type { Facebook } from '../state/facebook.js';
import { effectOf, publish } from './create-post.js';
import { isRefused, ownPage } from './own-page.js';
import type { Caller } from './signed-in.js';

const MAX_BYTES = 10_000_000;

/** POST /{page}/photos: fetches and decodes the photo. Published at once unless `published=false`. */
export async function createPhoto(facebook: Facebook, call: Call, caller: Caller): Promise<SandboxResponse> {
  const page = ownPage(facebook, call.params.page ?? '', caller);
  if (isRefused(page)) return page;
  const url = call.form.get('url');
  if (url === null) return graphProblem(parameterProblem('The parameter url or source is required'));
  const id = facebook.ids.next();
  const content = await contentOf(facebook, url, id);
  if (isRefused(content)) return content;
  const altText = call.form.get('alt_text_custom');
  const expiresAt = facebook.clock.now().getTime() + facebook.settings.photoSeconds * 1000;
  const upload = facebook.uploads.keep({
    id,
    pageId: page.id,
    kind: 'photo',
    content,
    altText,
    postId: null,
    expiresAt,
  });
  if (call.form.get('published') === 'false') {
    const draft = { kind: 'photo.uploaded', id, media: [effectOf(upload)] };
    const { effect, line } = facebook.effect(call, caller, draft);
    facebook.journal.append(line);
    return { ...json(200, { id }), effect };
  }
  const text = call.form.get('message') ?? call.form.get('caption') ?? '';
  const { post, response } = publish(facebook, call, caller, { page, text, link: null, media: [upload] });
  return { ...json(200, { id, post_id: post.id }), effect: response };
}

async function contentOf(
  facebook: Facebook,
  url: string,
  id: string,
): Promise<MediaContent | SandboxResponse> {
  const path = facebook.files.path(fileOf(id));
  try {
    await fetchMedia(url, path, { maxBytes: MAX_BYTES });
    return await readImage(path, { formats: ['jpeg', 'png', 'gif'], maxBytes: MAX_BYTES });
  } catch (error) {
    facebook.files.remove(fileOf(id));
    if (error instanceof MediaIsNotFetched && error.problem === 'bytes') return tooLarge;
    if (error instanceof MediaIsNotFetched || error instanceof MediaIsRefused) return noImage;
    throw error;
  }
}

const noImage = graphProblem({ code: 324, message: '(#324) Missing or invalid image file' });
const tooLarge = graphProblem({
  code: 100,
  subcode: 1_366_046,
  message: "Your photos couldn't be uploaded. Photos should be smaller than 10 MB and saved as JPG, PNG.",
});
