import type { Markup } from '../../../wire/html.js';
import { html } from '../../../wire/html.js';
import type { X } from '../x.js';
import type { XPost } from '../x-posts.js';
import type { XUpload } from '../x-uploads.js';

const uploadsOf = (x: X, { mediaIds = [] }: XPost): XUpload[] =>
  mediaIds.flatMap((id) => x.uploads.find(id) ?? []);

/** A page that reloads itself would stop a video that is watched. */
export const hasVideo = (x: X, post: XPost): boolean =>
  uploadsOf(x, post).some(({ category }) => category === 'tweet_video');

/** The pictures of a post in their order, or its video. */
export function mediaMarkup(x: X, post: XPost): Markup | undefined {
  const uploads = uploadsOf(x, post);
  if (uploads.length === 0) return undefined;
  return html`<div class="media media-${uploads.length}">${uploads.map(fileMarkup)}</div>`;
}

function fileMarkup({ id, category, altText, finalized }: XUpload): Markup {
  const address = `/x-web/i/media/${id}`;
  const { width, height } = finalized?.content ?? {};
  if (category === 'tweet_video')
    return html`<video
      src="${address}"
      width="${width}"
      height="${height}"
      controls
      preload="metadata"
    ></video>`;
  return html`<a href="${address}"
    ><img src="${address}" alt="${altText ?? ''}" width="${width}" height="${height}" loading="lazy"
  /></a>`;
}
