import { loadConfig } from '#libs/config';
import type { SandboxNetwork } from '../../outside-service.js';
import { networkService } from '../kit/service.js';
import { YoutubeAppConfig } from './youtube-app.config.js';
import { youtubeControlRoutes } from './youtube-control.routes.js';
import { youtubeSites } from './youtube.sites.js';
import { Youtube } from './state/youtube.js';

export const sandboxYoutube: SandboxNetwork = {
  config: YoutubeAppConfig,
  start(world) {
    const { clientId: id, clientSecret: secret } = loadConfig(YoutubeAppConfig, world.environment);
    const youtube = new Youtube(world, { id, secret, redirectUris: world.redirectUris });
    return networkService(youtube, youtubeSites(youtube), youtubeControlRoutes(youtube));
  },
};
