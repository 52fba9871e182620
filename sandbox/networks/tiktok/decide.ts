import type { Effect, EffectMedia } from '../../ledger/effect.js';
import type { Call } from '../../wire/call.js';
import { type MediaContent, MediaIsRefused, type MediaProblem } from '../kit/media/media-content.js';
import { type ImageLimits, readImage, readVideo } from '../kit/media/read-media.js';
import type { VideoLimits } from '../kit/media/video-shape.js';
import type { Caller } from './creator.js';
import { fileName, partNames, type Publication, type TikTokPost } from './tiktok-records.js';
import type { TikTok } from './tiktok.js';

/** media-transfer-guide, "Video restrictions" and "Image restrictions". */
const VIDEO: VideoLimits = {
  containers: ['mp4', 'mov', 'webm'],
  codecs: ['avc', 'hevc', 'vp8', 'vp9'],
  maxBytes: 4_000 * 1_048_576,
  minSide: 360,
  maxSide: 4_096,
  minFrameRate: 23,
  maxFrameRate: 60,
};
const IMAGE: ImageLimits = {
  formats: ['jpeg', 'webp'],
  maxBytes: 20 * 1_048_576,
  maxWidth: 1_080,
  maxHeight: 1_920,
};

/** Files that TikTok has, or the `fail_reason`. */
type Checked = Publication['media'] | string;

const REASONS: Readonly<Partial<Record<MediaProblem, string>>> = {
  size: 'picture_size_check_failed',
  ratio: 'picture_size_check_failed',
  duration: 'duration_check_failed',
  'frame-rate': 'frame_rate_check_failed',
};

/** Reads the whole video, after its last part. @returns the effect of a published post */
export async function decideVideo(
  tiktok: TikTok,
  call: Call,
  caller: Caller,
  publication: Publication,
): Promise<Effect | undefined> {
  const name = fileName(publication.id);
  await tiktok.files.join(name, partNames(publication));
  tiktok.files.remove(...partNames(publication));
  const limits = { ...VIDEO, maxMs: caller.account.maxVideoSeconds * 1000 };
  const checked = await readVideo(tiktok.files.path(name), limits).then(
    (content) => [{ id: name, content }],
    reasonOf,
  );
  return decide(tiktok, call, caller, publication, checked);
}

export const checkPhoto = (path: string): Promise<MediaContent> => readImage(path, IMAGE);

export function reasonOf(error: unknown): string {
  if (error instanceof MediaIsRefused) return REASONS[error.problem] ?? 'file_format_check_failed';
  throw error;
}

/** TikTok publishes the post, or fails it by what the files are; the status shows it when the processing is over. */
export function decide(
  tiktok: TikTok,
  call: Call,
  caller: Caller,
  publication: Publication,
  checked: Checked,
): Effect | undefined {
  const { failReason } = tiktok.settings;
  const from = tiktok.now + tiktok.settings.processingSeconds * 1000;
  const reason = failReason ?? (typeof checked === 'string' ? checked : null);
  const media = typeof checked === 'string' ? [] : checked;
  if (reason !== null) {
    tiktok.uploads.keep({ ...publication, media, decision: { from, failReason: reason, postId: null } });
    return undefined;
  }
  const post = postOf(tiktok, publication, media);
  const shown = media.map(({ content }): EffectMedia => ({ category: categoryOf(content), ...content }));
  const draft = { kind: 'post.created', id: post.id, text: post.text, media: shown, madeWithAi: post.isAigc };
  const { effect, line } = tiktok.effect(call, caller, draft);
  tiktok.posts.keep(post, line);
  tiktok.uploads.keep({ ...publication, media, decision: { from, failReason: null, postId: post.id } });
  return effect;
}

const categoryOf = ({ durationMs }: MediaContent): string => (durationMs === null ? 'photo' : 'video');

function postOf(
  tiktok: TikTok,
  { id, accountId, info, upload }: Publication,
  media: Publication['media'],
): TikTokPost {
  return {
    id: tiktok.ids.next(),
    authorId: accountId,
    text: upload === null ? info.description : info.title,
    title: upload === null ? info.title : '',
    createdAt: tiktok.clock.now().toISOString(),
    mediaIds: media.map((file) => file.id),
    publishId: id,
    privacyLevel: info.privacyLevel,
    isAigc: info.isAigc,
  };
}
