import type { Route } from '../../../wire/router.js';
import { showPost, timelineRoutes } from '../../kit/web/timeline.js';
import { authorizeRoutes } from '../oauth/oauth.routes.js';
import type { Youtube } from '../state/youtube.js';
import { youtubeTimeline } from './youtube-timeline.js';

/** The pages of youtube.com that a person needs: a video, a channel. */
export function webRoutes(youtube: Youtube): Route[] {
  const timeline = youtubeTimeline(youtube);
  return [
    ...authorizeRoutes(youtube),
    {
      method: 'GET',
      path: '/watch',
      handle: (call) => showPost(youtube, timeline, youtube.posts.find(call.query.get('v') ?? '')),
    },
    ...timelineRoutes(youtube, timeline),
  ];
}
