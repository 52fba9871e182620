import type { SandboxNetwork } from '../outside-service.js';
import { SANDBOX_AI_GATEWAY_TOKEN } from '../credentials.js';
import { Router } from '../wire/router.js';
import type { Site } from '../wire/site.js';
import { type ServedProvider, servedProviders } from './ai-providers.js';
import { ModelCatalog } from './catalog/catalog.js';
import { providerControlRoutes } from './control/ai-control.routes.js';
import { aiSection } from './control/ai.section.js';
import { aiWorldRoutes } from './control/ai-world.routes.js';
import { aiGatewaySite } from './front/ai-gateway.js';
import { Gallery } from './pictures/gallery.js';
import { AiFaults } from './provider/ai-faults.js';
import { Bill } from './provider/bill.js';

/** AI providers in three wires, an AI gateway in front of them, and an open catalog of models. */
export const sandboxAi: SandboxNetwork = ({ clock, ledger, journal, files, capacity }) => {
  const [bill, faults, gallery] = [new Bill(capacity), new AiFaults(), new Gallery(files)];
  const world = { clock, ledger, journal, bill, faults, gallery };
  const served = servedProviders(world);
  const providers = served.map(({ provider }) => provider);
  const catalog = new ModelCatalog(served);
  return {
    sites: [...served.map(siteOf), aiGatewaySite(served, SANDBOX_AI_GATEWAY_TOKEN), catalog.site],
    controlRoutes: [
      ...aiWorldRoutes(world, providers),
      ...providerControlRoutes(providers),
      catalog.controlRoute,
    ],
    persistent: [],
    accountCards: () => [],
    indexSection: () => aiSection(world, providers),
    open: () => undefined,
    clear() {
      for (const part of [bill, faults, gallery, catalog, ...providers]) part.clear();
    },
  };
};

function siteOf({ provider, prefix, standsFor, routes }: ServedProvider): Site {
  return {
    prefix,
    host: 'api',
    standsFor,
    router: new Router(routes),
    disturbable: provider,
    refuse(status) {
      const requestId = provider.nature.newRequestId();
      if (status === 500) return provider.problem({ kind: 'server-error', status }, requestId);
      return provider.problem({ kind: status === 413 ? 'too-large' : 'no-address' }, requestId);
    },
  };
}
