import { PRIVACIES, type VideoMetadata } from '../state/youtube-videos.js';

const MAX_TITLE = 100;
const MAX_DESCRIPTION_BYTES = 5_000;
const MAX_TAGS = 500;

/** The video in the body of videos.insert, or Google's reason why it is none (docs/videos/insert, "Errors"). */
export function parseVideo(body: unknown): VideoMetadata | string {
  const { snippet, status } = record(body);
  const { title, description = '', tags = [], categoryId = '22' } = record(snippet);
  if (typeof title !== 'string' || !isTitle(title)) return 'invalidTitle';
  if (typeof description !== 'string' || !isDescription(description)) return 'invalidDescription';
  if (!Array.isArray(tags) || !isTags(tags)) return 'invalidTags';
  if (typeof categoryId !== 'string' || !/^\d{1,2}$/.test(categoryId)) return 'invalidCategoryId';
  const {
    privacyStatus = 'public',
    selfDeclaredMadeForKids = false,
    containsSyntheticMedia = false,
  } = record(status);
  const privacy = PRIVACIES.find((one) => one === privacyStatus);
  if (!privacy || typeof selfDeclaredMadeForKids !== 'boolean' || typeof containsSyntheticMedia !== 'boolean')
    return 'invalidVideoMetadata';
  return {
    title,
    description,
    tags,
    categoryId,
    privacy,
    madeForKids: selfDeclaredMadeForKids,
    containsSyntheticMedia,
  };
}

const isTitle = (title: string): boolean =>
  title.trim() !== '' && [...title].length <= MAX_TITLE && !/[<>]/.test(title);

const isDescription = (text: string): boolean =>
  Buffer.byteLength(text) <= MAX_DESCRIPTION_BYTES && !/[<>]/.test(text);

function isTags(tags: unknown[]): tags is string[] {
  if (!tags.every((tag) => typeof tag === 'string' && tag !== '' && !/[<>]/.test(tag))) return false;
  const length = (tags as string[]).reduce(
    (sum, tag) => sum + [...tag].length + (tag.includes(' ') ? 2 : 0),
    0,
  );
  return length + Math.max(0, tags.length - 1) <= MAX_TAGS;
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
