import { type MediaContent, MediaIsRefused } from '../../kit/media/media-content.js';
import { readImage } from '../../kit/media/read-image.js';
import { readVideo } from '../../kit/media/read-video.js';
import type { LinkedInUpload } from '../state/linkedin-uploads.js';
import type { LinkedIn } from '../state/linkedin.js';

const IMAGE = {
  formats: ['jpeg', 'png', 'gif'],
  maxBytes: 50_000_000,
  maxPixels: 36_152_319,
  animation: { maxFrames: 250, maxPixelsOfFrames: 300_000_000 },
} as const;
/** Of the help page "Video specifications". */
const VIDEO = {
  containers: ['mp4'],
  codecs: ['avc', 'hevc', 'vp8', 'vp9', 'av1'],
  maxBytes: 500_000_000,
  minMs: 3_000,
  maxMs: 1_800_000,
  minSide: 144,
  maxSide: 4_096,
  minRatio: 1 / 2.4,
  maxRatio: 2.4,
} as const;

/** All bytes are there: they are decoded. What cannot be shown fails its processing. */
export async function completed(linkedin: LinkedIn, upload: LinkedInUpload): Promise<LinkedInUpload> {
  const { mediaProcessing, mediaProcessingSeconds } = linkedin.settings;
  const content = mediaProcessing === 'fails' ? null : await contentOf(linkedin, upload);
  const until = linkedin.clock.now().getTime() + mediaProcessingSeconds * 1000;
  return linkedin.uploads.change(upload.id, { complete: { content, until } });
}

async function contentOf({ files }: LinkedIn, { id, kind }: LinkedInUpload): Promise<MediaContent | null> {
  try {
    return await (kind === 'image' ? readImage(files.path(id), IMAGE) : readVideo(files.path(id), VIDEO));
  } catch (error) {
    if (error instanceof MediaIsRefused) return null;
    throw error;
  }
}
