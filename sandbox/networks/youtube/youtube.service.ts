import type { SandboxNetwork } from '../../outside-service.js';
import { networkService } from '../kit/service.js';
import { youtubeControlRoutes } from './youtube-control.routes.js';
import { youtubeSites } from './youtube.sites.js';
import { Youtube } from './state/youtube.js';

export const sandboxYoutube: SandboxNetwork = (world) => {
  const youtube = new Youtube(world, world.client);
  return networkService(youtube, youtubeSites(youtube), youtubeControlRoutes(youtube));
};
