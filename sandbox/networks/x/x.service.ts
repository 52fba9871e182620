import { loadConfig } from '#libs/config';
import type { SandboxNetwork } from '../../outside-service.js';
import { networkService } from '../kit/service.js';
import { XAppConfig } from './x-app.config.js';
import { xControlRoutes } from './x-control.routes.js';
import { xSites } from './x.sites.js';
import { X } from './state/x.js';

export const sandboxX: SandboxNetwork = {
  config: XAppConfig,
  start(world) {
    const { clientId: id, clientType, clientSecret } = loadConfig(XAppConfig, world.environment);
    const secret = clientType === 'public' ? null : clientSecret;
    const x = new X(world, { id, secret, redirectUris: world.redirectUris });
    return networkService(x, xSites(x), xControlRoutes(x));
  },
};
