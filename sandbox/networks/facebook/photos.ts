import { json } from '../../wire/response.js';
import { GraphCallIsRefused, graphProblem, parameterProblem } from '../graph/graph-problems.js';
import { fetchMedia, MediaIsNotFetched } from '../kit/media/fetched-media.js';
import { type MediaContent, MediaIsRefused } from '../kit/media/media-content.js';
import { readImage } from '../kit/media/read-media.js';
import { effectOf, publish } from './posts.js';
import { type PageHandle } from './signed-in.js';
import { fileOf } from './facebook-records.js';
import type { Facebook } from './facebook.js';

const MAX_BYTES = 10_000_000;

/** POST /{page}/photos: fetches and decodes the photo. Published at once unless `published=false`. */
export const createPhoto: PageHandle = async (facebook, call, caller, page) => {
  const url = call.form.get('url');
  if (url === null) return graphProblem(parameterProblem('The parameter url or source is required'));
  const id = facebook.ids.next();
  const content = await contentOf(facebook, url, id);
  const altText = call.form.get('alt_text_custom');
  const expiresAt = facebook.now + facebook.settings.photoSeconds * 1000;
  const photo = { id, pageId: page.id, kind: 'photo', content, altText, postId: null, expiresAt } as const;
  const upload = facebook.uploads.keep(photo);
  if (call.form.get('published') === 'false') {
    const draft = { kind: 'photo.uploaded', id, media: [effectOf(upload)] };
    return facebook.report(call, caller, draft, json(200, { id }));
  }
  const text = call.form.get('message') ?? call.form.get('caption') ?? '';
  const { post, response } = publish(facebook, call, caller, { page, text, link: null, media: [upload] });
  return { ...json(200, { id, post_id: post.id }), effect: response };
};

async function contentOf(facebook: Facebook, url: string, id: string): Promise<MediaContent> {
  const path = facebook.files.path(fileOf(id));
  try {
    await fetchMedia(url, path, { maxBytes: MAX_BYTES });
    return await readImage(path, { formats: ['jpeg', 'png', 'gif'], maxBytes: MAX_BYTES });
  } catch (error) {
    facebook.files.remove(fileOf(id));
    if (error instanceof MediaIsNotFetched && error.problem === 'bytes')
      throw new GraphCallIsRefused(TOO_LARGE);
    if (error instanceof MediaIsNotFetched || error instanceof MediaIsRefused)
      throw new GraphCallIsRefused(NO_IMAGE);
    throw error;
  }
}

const NO_IMAGE = { code: 324, message: '(#324) Missing or invalid image file' };
const TOO_LARGE = {
  code: 100,
  subcode: 1_366_046,
  message: "Your photos couldn't be uploaded. Photos should be smaller than 10 MB and saved as JPG, PNG.",
};
