import type { SandboxNetwork } from '../../outside-service.js';
import { networkService } from '../kit/service.js';
import { linkedInControlRoutes } from './linkedin-control.routes.js';
import { LinkedIn } from './state/linkedin.js';
import { linkedInSites } from './linkedin.sites.js';

export const sandboxLinkedIn: SandboxNetwork = (world) => {
  const linkedin = new LinkedIn(world, world.client);
  return networkService(linkedin, linkedInSites(linkedin), linkedInControlRoutes(linkedin));
};
