import { loadConfig } from '#libs/config';
import type { SandboxNetwork } from '../../outside-service.js';
import { networkService } from '../kit/service.js';
import { LinkedInAppConfig } from './linkedin-app.config.js';
import { linkedInControlRoutes } from './linkedin-control.routes.js';
import { LinkedIn } from './state/linkedin.js';
import { linkedInSites } from './linkedin.sites.js';

export const sandboxLinkedIn: SandboxNetwork = {
  config: LinkedInAppConfig,
  start(world) {
    const { clientId: id, clientSecret: secret } = loadConfig(LinkedInAppConfig, world.environment);
    const linkedin = new LinkedIn(world, { id, secret, redirectUris: world.redirectUris });
    return networkService(linkedin, linkedInSites(linkedin), linkedInControlRoutes(linkedin));
  },
};
