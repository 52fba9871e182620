import type { SandboxNetwork } from '../../outside-service.js';
import { networkService } from '../kit/service.js';
import { xControlRoutes } from './x-control.routes.js';
import { xSites } from './x.sites.js';
import { X } from './state/x.js';

export const sandboxX: SandboxNetwork = (world) => {
  const x = new X(world, world.client);
  return networkService(x, xSites(x), xControlRoutes(x));
};
