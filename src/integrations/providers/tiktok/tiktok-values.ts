import { isRecord, memberOf, textLike, wordsIn } from '../values.js';

/** Ids of public posts are 64-bit numbers in decimal. */
const POST_ID = /^\d{1,25}$/;
/** Such as `v_pub_file~v2-1.123456789` and `p_pub_url~v2.123456789` (content-posting-api-reference-get-video-status). */
const PUBLISH_ID = /^[a-z]{1,4}(?:_[a-z]{1,10}){1,3}~[\w.-]{1,80}$/;
/** `open_id` is at most 64 characters (tiktok-api-v2-get-user-info states no form). */
const OPEN_ID = /^[\w-]{1,128}$/;
/** UTF-16 units; the longest code that TikTok documents has 51. */
const MAX_CODE = 100;

export const publishIdIn = (value: unknown): string | null => textLike(PUBLISH_ID, value);

export const openIdIn = (value: unknown): string | null => textLike(OPEN_ID, value);

/** Ids of posts are 64-bit numbers. One that JSON could not represent exactly is none. */
export function postIdIn(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : null;
  return textLike(POST_ID, value);
}

/** The id of a post, or the id of its publication where TikTok names no post: private posts, and posts before moderation. */
export const isPostId = (id: string): boolean => POST_ID.test(id) || PUBLISH_ID.test(id);

/** `error.code` of a response; null: the response has none. */
export const errorCodeIn = (body: unknown): string | null =>
  wordsIn(memberOf(body, 'error', 'code'), MAX_CODE);

/** The data of a response whose error code says that there is no error; null for every other response. */
export function dataIn(body: unknown): Record<string, unknown> | null {
  const data = memberOf(body, 'data');
  return errorCodeIn(body) === 'ok' && isRecord(data) ? data : null;
}

export const wordIn = (value: unknown): string | null => wordsIn(value, MAX_CODE);
