import type { Call } from '../../wire/call.js';
import { json, type SandboxResponse, withHeaders } from '../../wire/response.js';
import type { YoutubeCaller } from './channels.js';
import { googleError } from './google-errors.js';
import { newSessionId, PRIVACIES, type VideoMetadata } from './youtube-videos.js';
import type { Youtube } from './youtube.js';

const MAX_TITLE = 100;
const MAX_DESCRIPTION_BYTES = 5_000;
const MAX_TAGS = 500;

/** The video in the body of videos.insert, or Google's reason why it is none (docs/videos/insert, "Errors"). */
function parseVideo(body: unknown): VideoMetadata | string {
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

const DAY_MS = 86_400_000;
/** 256 GB. */
const MAX_BYTES = 256_000_000_000;

export const UPLOAD_PATH = '/upload/youtube/v3/videos';

/** POST /upload/youtube/v3/videos?uploadType=resumable ("Resumable uploads", step 1). */
export function beginUpload(youtube: Youtube, call: Call, caller: YoutubeCaller): SandboxResponse {
  const { account } = caller;
  if (call.query.get('uploadType') !== 'resumable')
    return googleError(400, 'mediaBodyRequired', { domain: 'youtube.video' });
  if (!account.hasChannel) return googleError(401, 'youtubeSignupRequired', { domain: 'youtube.header' });
  const video = parseVideo(call.json?.value);
  if (typeof video === 'string') return googleError(400, video);
  const total = Number(call.headers['x-upload-content-length']);
  const type = String(call.headers['x-upload-content-type'] ?? '');
  if (!(total > 0 && total <= MAX_BYTES)) return googleError(400, 'mediaBodyRequired');
  if (!/^video\/|^application\/octet-stream$/.test(type)) return googleError(400, 'mediaBodyRequired');
  const limited = refusedByLimits(youtube, caller);
  if (limited) return limited;
  const id = newSessionId();
  const begunAt = youtube.now;
  const progress = { total, received: 0, begunAt, videoId: null, content: null };
  const { effect, line } = youtube.effect(call, caller, {
    kind: 'upload.begun',
    id,
    text: video.description,
    media: [{ category: 'video', bytes: total }],
  });
  youtube.uploads.keep({ id, accountId: account.id, ...video, ...progress }, line);
  const parameters = new URLSearchParams([...call.query, ['upload_id', id]]);
  const location = `${youtube.baseUrl}/youtube${UPLOAD_PATH}?${parameters.toString()}`;
  return { ...withHeaders(json(200, {}), { location, 'x-guploader-uploadid': id }), body: '', effect };
}

function refusedByLimits(youtube: Youtube, { account }: YoutubeCaller): SandboxResponse | undefined {
  const since = youtube.now - DAY_MS;
  const begun = [...youtube.uploads.all].filter(({ begunAt }) => begunAt > since);
  if (begun.length >= youtube.settings.uploadsPerDay)
    return googleError(403, 'quotaExceeded', { domain: 'youtube.quota' });
  const published = youtube.posts.by(account.id).filter(({ createdAt }) => Date.parse(createdAt) > since);
  if (published.length >= youtube.settings.uploadsPerChannel) return googleError(400, 'uploadLimitExceeded');
  return undefined;
}
