import type { Call } from '../../wire/call.js';
import { json, type SandboxResponse, withHeaders } from '../../wire/response.js';
import { hashed, type MediaContent, MediaIsRefused } from '../kit/media/media-content.js';
import { readVideo } from '../kit/media/read-media.js';
import type { YoutubeCaller } from './channels.js';
import { authError, googleError } from './google-errors.js';
import { newVideoId, type YoutubeSession, type YoutubeVideo } from './youtube-videos.js';
import type { Youtube } from './youtube.js';

/** The video resource (developers.google.com/youtube/v3/docs/videos), parts snippet and status. */
const videoView = (video: YoutubeVideo) => ({
  kind: 'youtube#video',
  etag: video.id,
  id: video.id,
  snippet: {
    publishedAt: video.createdAt,
    channelId: video.authorId,
    title: video.title,
    description: video.description,
    tags: video.tags,
    categoryId: video.categoryId,
  },
  status: {
    uploadStatus: video.content ? 'uploaded' : 'failed',
    privacyStatus: video.privacy,
    selfDeclaredMadeForKids: video.madeForKids,
    containsSyntheticMedia: video.containsSyntheticMedia,
  },
});

const PART_UNIT = 262_144;
const LIMITS = {
  containers: ['mp4', 'mov', 'webm'],
  maxBytes: 256_000_000_000,
  codecs: ['avc', 'hevc', 'vp8', 'vp9', 'av1'],
} as const;

/** PUT of a part, or a question how much was received. The address is enough; a token that is sent must be valid. */
export function receivePart(youtube: Youtube, call: Call): Promise<SandboxResponse> {
  const id = call.query.get('upload_id') ?? '';
  return youtube.uploads.inTurn(id, () => receiveNow(youtube, call, id));
}

async function receiveNow(youtube: Youtube, call: Call, id: string): Promise<SandboxResponse> {
  const session = youtube.uploads.find(id);
  const age = youtube.now - (session?.begunAt ?? 0);
  if (!session || age > youtube.settings.sessionSeconds * 1000) return { status: 404, headers: {}, body: '' };
  const caller = youtube.callerOf(call);
  if (caller?.account.id !== session.accountId) return authError();
  const published = session.videoId === null ? undefined : youtube.posts.find(session.videoId);
  if (published) return json(200, videoView(published));
  const range = rangeIn(call, session);
  if (range === 'probe') return progress(session);
  if (range === null) return googleError(400, 'badRequest', { domain: 'global' });
  if (range.start > session.received) return googleError(400, 'badRequest', { domain: 'global' });
  if (range.start < session.received && youtube.settings.bytesSentAgain === 'refused')
    return googleError(400, 'badRequest', { domain: 'global' });
  const stored = await store(youtube, call, caller, session, range);
  return stored.received < stored.total ? progress(stored) : publish(youtube, call, caller, stored);
}

interface Range {
  readonly start: number;
  /** Not included. */
  readonly end: number;
}

/** null: not a part of this upload. */
function rangeIn(call: Call, { total }: YoutubeSession): Range | 'probe' | null {
  const header = String(call.headers['content-range'] ?? '');
  const bytes = call.file?.bytes ?? 0;
  if (header === `bytes */${total}` && bytes === 0) return 'probe';
  const [, first, last, of] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header) ?? [];
  const [start, end] = [Number(first), Number(last) + 1];
  if (Number(of) !== total || end - start !== bytes || bytes === 0 || end > total) return null;
  return end < total && bytes % PART_UNIT !== 0 ? null : { start, end };
}

/** Appends what was not received before, up to `storedBytesOfPart`. */
async function store(
  youtube: Youtube,
  call: Call,
  caller: YoutubeCaller,
  session: YoutubeSession,
  { start, end }: Range,
): Promise<YoutubeSession> {
  const { storedBytesOfPart: most } = youtube.settings;
  const until = most === 0 ? end : Math.min(end, session.received + most);
  if (call.file && until > session.received)
    await youtube.files.append(session.id, call.file.path, session.received - start, until - start);
  const { line } = youtube.effect(call, caller, {
    kind: 'upload.part',
    id: session.id,
    media: [{ category: 'video', bytes: end - start }],
  });
  return youtube.uploads.keep({ ...session, received: Math.max(until, session.received) }, line);
}

function progress({ received }: YoutubeSession): SandboxResponse {
  const headers: Record<string, string> = received === 0 ? {} : { range: `bytes=0-${received - 1}` };
  return { status: 308, headers, body: '' };
}

async function publish(
  youtube: Youtube,
  call: Call,
  caller: YoutubeCaller,
  session: YoutubeSession,
): Promise<SandboxResponse> {
  const {
    id: sessionId,
    title,
    description,
    tags,
    categoryId,
    madeForKids,
    containsSyntheticMedia,
  } = session;
  const content = await decoded(youtube.files.path(sessionId));
  const { sha256 } = await hashed(youtube.files.path(sessionId));
  const id = newVideoId();
  const createdAt = youtube.clock.now().toISOString();
  const privacy = youtube.settings.verifiedProject ? session.privacy : 'private';
  const metadata = { title, description, tags, categoryId, privacy, madeForKids, containsSyntheticMedia };
  const { contentType, width, height, durationMs } = content ?? {};
  const media = [{ category: 'video', bytes: session.total, sha256, contentType, width, height, durationMs }];
  const { effect, line } = youtube.effect(call, caller, {
    kind: 'post.created',
    id,
    text: description,
    media,
    madeWithAi: containsSyntheticMedia,
  });
  const authorId = session.accountId;
  const video = { id, authorId, text: description, createdAt, mediaIds: [sessionId], ...metadata, content };
  youtube.posts.keep(video, line);
  youtube.uploads.keep({ ...session, videoId: id, content });
  return { ...withHeaders(json(200, videoView(video)), {}), effect };
}

/** YouTube takes any file and finds out later that it cannot be processed. */
async function decoded(path: string): Promise<MediaContent | null> {
  try {
    return await readVideo(path, LIMITS);
  } catch (error) {
    if (error instanceof MediaIsRefused) return null;
    throw error;
  }
}
