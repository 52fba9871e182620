import { json, type SandboxResponse, withHeaders } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import type { Youtube } from '../state/youtube.js';
import { newSessionId } from '../state/youtube-videos.js';
import { googleError } from '../state/google-errors.js';
import type { YoutubeCaller } from './signed-in.js';
import { parseVideo } from './video.body.js';

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
  const begunAt = youtube.clock.now().getTime();
  const progress = { total, received: 0, begunAt, videoId: null, content: null };
  const { effect, line } = youtube.effect(call, caller, {
    kind: 'upload.begun',
    id,
    text: video.description,
    media: [{ category: 'video', bytes: total }],
  });
  youtube.sessions.keep({ id, accountId: account.id, ...video, ...progress }, line);
  const parameters = new URLSearchParams([...call.query, ['upload_id', id]]);
  const location = `${youtube.baseUrl}/youtube${UPLOAD_PATH}?${parameters.toString()}`;
  return { ...withHeaders(json(200, {}), { location, 'x-guploader-uploadid': id }), body: '', effect };
}

function refusedByLimits(youtube: Youtube, { account }: YoutubeCaller): SandboxResponse | undefined {
  const since = youtube.clock.now().getTime() - DAY_MS;
  const begun = [...youtube.sessions.all].filter(({ begunAt }) => begunAt > since);
  if (begun.length >= youtube.settings.uploadsPerDay)
    return googleError(403, 'quotaExceeded', { domain: 'youtube.quota' });
  const published = youtube.posts.by(account.id).filter(({ createdAt }) => Date.parse(createdAt) > since);
  if (published.length >= youtube.settings.uploadsPerChannel) return googleError(400, 'uploadLimitExceeded');
  return undefined;
}
