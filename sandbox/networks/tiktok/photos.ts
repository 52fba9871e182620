import { fetchMedia, MediaIsNotFetched } from '../kit/media/fetched-media.js';
import { checkPhoto, decide, reasonOf } from './decide.js';
import type { Handle } from './creator.js';
import { readPostInfo, refusedPost } from './post-info.js';
import { fileName, type Publication } from './tiktok-records.js';
import { data } from './tiktok-responses.js';
import type { TikTok } from './tiktok.js';

const MAX_PHOTOS = 35;
const FETCH = { maxBytes: 20 * 1_048_576, timeoutMs: 5_000 };

/**
 * POST /v2/post/publish/content/init/: content-posting-api-reference-photo-post. TikTok fetches the photos after its response. The
 * sandbox fetches them before, so that its state does not change between two calls; the status shows the download until it ends.
 */
export const initPhotos: Handle = async (tiktok, call, caller) => {
  const body = call.record;
  if (body.post_mode !== 'DIRECT_POST' || body.media_type !== 'PHOTO')
    return tiktok.error('invalid_params', 'post_mode or media_type');
  const info = readPostInfo(tiktok, body.post_info, 'photos');
  const addresses = readAddresses(body.source_info);
  if (addresses === null) return tiktok.error('invalid_params', 'source_info');
  const prefixes = tiktok.settings.verifiedUrlPrefixes;
  if (prefixes && !addresses.every((address) => prefixes.some((prefix) => address.startsWith(prefix))))
    return tiktok.error('url_ownership_unverified');
  const refused = refusedPost(tiktok, caller, info);
  if (refused) return refused;
  const id = `p_pub_url~v2.${tiktok.ids.next()}`;
  const begun = { id, accountId: caller.account.id, info, upload: null, media: [], decision: null };
  const effect = decide(tiktok, call, caller, begun, await fetched(tiktok, id, addresses));
  return { ...data({ publish_id: id }), effect };
};

/** null: not the form that TikTok takes. */
function readAddresses(value: unknown): readonly string[] | null {
  const source = (value ?? {}) as Record<string, unknown>;
  const { photo_images: photos, photo_cover_index: cover = 0 } = source;
  if (source.source !== 'PULL_FROM_URL' || !Array.isArray(photos)) return null;
  const isList = photos.length > 0 && photos.length <= MAX_PHOTOS && photos.every(isAddress);
  const isCover = Number.isInteger(cover) && (cover as number) >= 0 && (cover as number) < photos.length;
  return isList && isCover ? (photos as string[]) : null;
}

const isAddress = (value: unknown): boolean => typeof value === 'string' && URL.canParse(value);

async function fetched(
  { files }: TikTok,
  id: string,
  addresses: readonly string[],
): Promise<Publication['media'] | string> {
  const media: Publication['media'][number][] = [];
  try {
    for (const [index, address] of addresses.entries()) {
      const name = fileName(id, index);
      await fetchMedia(address, files.path(name), FETCH);
      media.push({ id: name, content: await checkPhoto(files.path(name)) });
    }
    return media;
  } catch (error) {
    files.remove(...addresses.map((_, index) => fileName(id, index)));
    return error instanceof MediaIsNotFetched ? 'photo_pull_failed' : reasonOf(error);
  }
}
