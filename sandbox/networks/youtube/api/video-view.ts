import type { YoutubeVideo } from '../state/youtube-videos.js';

/** The video resource (developers.google.com/youtube/v3/docs/videos), parts snippet and status. */
export const videoView = (video: YoutubeVideo) => ({
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
