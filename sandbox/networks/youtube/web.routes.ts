import type { Route } from '../../wire/router.js';
import type { ShownPost, Timeline } from '../kit/web/shown-post.js';
import { showPost, timelineRoutes } from '../kit/web/timeline.js';
import type { YoutubeVideo } from './youtube-videos.js';
import type { Youtube, YoutubeAccount } from './youtube.js';

/** The channel as its owner sees it: private videos too. */
function youtubeTimeline(youtube: Youtube): Timeline<YoutubeAccount, YoutubeVideo> {
  return {
    show: (video) => shown(youtube, video),
    file(id) {
      const session = youtube.uploads.find(id);
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

/** The pages of youtube.com that a person needs: a video, a channel. */
export function webRoutes(youtube: Youtube): Route[] {
  const timeline = youtubeTimeline(youtube);
  return [
    {
      method: 'GET',
      path: '/watch',
      handle: (call) => showPost(youtube, timeline, youtube.posts.find(call.query.get('v') ?? '')),
    },
    ...timelineRoutes(youtube, timeline),
  ];
}
