import type { SandboxNetwork } from '../outside-service.js';
import { SANDBOX_AI_GATEWAY_TOKEN, SANDBOX_AI_KEYS } from '../credentials.js';
import { Router } from '../wire/router.js';
import type { Site } from '../wire/site.js';
import { aiGatewaySite } from './ai-gateway.js';
import { anthropic } from './anthropic/anthropic.js';
import { ModelCatalog } from './catalog/catalog.js';
import { providerControlRoutes } from './control/ai-control.routes.js';
import { aiSection } from './control/ai.section.js';
import { aiWorldRoutes } from './control/ai-world.routes.js';
import { google } from './google/google.js';
import { openai } from './openai/openai.js';
import { openrouter } from './openrouter/openrouter.js';
import { Gallery } from './pictures/gallery.js';
import { AiFaults } from './provider/ai-faults.js';
import { Bill } from './provider/bill.js';
import { AiProvider } from './provider/provider.js';

/** AI providers in three wires, an AI gateway in front of them, and an open catalog of models. */
export const sandboxAi: SandboxNetwork = ({ clock, ledger, journal, files, capacity }) => {
  const [bill, faults, gallery] = [new Bill(capacity), new AiFaults(), new Gallery(files)];
  const world = { clock, ledger, journal, bill, faults, gallery };
  const providers = [openai, openrouter, anthropic, google].map(
    (nature) => new AiProvider(world, nature, SANDBOX_AI_KEYS[nature.name]),
  );
  const catalog = new ModelCatalog(providers);
  return {
    sites: [...providers.map(siteOf), aiGatewaySite(providers, SANDBOX_AI_GATEWAY_TOKEN), catalog.site],
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

function siteOf(provider: AiProvider): Site {
  return {
    prefix: provider.nature.prefix,
    host: 'api',
    standsFor: provider.nature.standsFor,
    router: new Router(provider.routes),
    disturbable: provider,
    refuse(status) {
      const requestId = provider.nature.newRequestId();
      if (status === 500) return provider.problem({ kind: 'server-error', status }, requestId);
      return provider.problem({ kind: status === 413 ? 'too-large' : 'no-address' }, requestId);
    },
  };
}
