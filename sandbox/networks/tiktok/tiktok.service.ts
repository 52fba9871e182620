import type { SandboxNetwork } from '../../outside-service.js';
import { networkControlRoutes } from '../kit/control-routes.js';
import { networkService } from '../kit/service.js';
import { count, flag } from '../kit/state/members.js';
import { issueTokens } from './api/token.routes.js';
import { USERNAME, USERNAME_IN_WORDS } from './state/tiktok-accounts.js';
import { TIKTOK_SETTINGS } from './state/tiktok-settings.js';
import { SCOPES, tiktokSites } from './tiktok.sites.js';
import { TikTok } from './state/tiktok.js';

const LONGEST_VIDEO_SECONDS = 3_600;

export const sandboxTikTok: SandboxNetwork = (world) => {
  const tiktok = new TikTok(world, world.client);
  const controls = networkControlRoutes(tiktok, {
    scopes: Object.keys(SCOPES),
    defaultScopes: Object.keys(SCOPES),
    username: USERNAME,
    usernameInWords: USERNAME_IN_WORDS,
    accountMembers: {
      isPrivate: flag,
      commentDisabled: flag,
      duetDisabled: flag,
      stitchDisabled: flag,
      maxVideoSeconds: count(LONGEST_VIDEO_SECONDS, 1),
    },
    settings: TIKTOK_SETTINGS,
    issue: (account, scopes) => issueTokens(tiktok, account.id, scopes),
  });
  return networkService(tiktok, tiktokSites(tiktok), controls);
};
