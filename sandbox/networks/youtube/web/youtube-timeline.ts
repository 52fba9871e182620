import type { ShownPost, Timeline } from '../../kit/web/shown-post.js';
import type { Youtube } from '../state/youtube.js';
import type { YoutubeAccount } from '../state/youtube-accounts.js';
import type { YoutubeVideo } from '../state/youtube-videos.js';

/** The channel as its owner sees it: private videos too. */
export function youtubeTimeline(youtube: Youtube): Timeline<YoutubeAccount, YoutubeVideo> {
  return {
    show: (video) => shown(youtube, video),
    file(id) {
      const session = youtube.sessions.find(id);
      const { videoId, content } = session ?? {};
      const isPublished = videoId != null && youtube.posts.find(videoId) !== undefined;
      return isPublished && content ? { path: youtube.files.path(id), content } : undefined;
    },
  };
}

function shown(youtube: Youtube, video: YoutubeVideo): ShownPost {
  const { id, createdAt, title, description, content, mediaIds = [], privacy } = video;
  const { width, height } = content ?? {};
  return {
    id,
    path: `${youtube.webPath}/watch?v=${id}`,
    createdAt,
    title,
    text: description,
    media: content
      ? mediaIds.map((mediaId) => ({ id: mediaId, kind: 'video', altText: null, width, height }))
      : [],
    note: notesOf(video, privacy),
  };
}

function notesOf(
  { content, madeForKids, containsSyntheticMedia, tags }: YoutubeVideo,
  privacy: string,
): string {
  return [
    privacy,
    content ? '' : 'processing failed',
    madeForKids ? 'made for kids' : '',
    containsSyntheticMedia ? 'altered content' : '',
    tags.length > 0 ? `tags: ${tags.join(', ')}` : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
