import type { Environment } from '#libs/config';
import { loadConfig, processEnvironment } from '#libs/config';
import type { RunningService } from '#libs/http';
import { bootstrapHttpService, runEntry } from '#libs/http';
import { identityApi } from './api-description.js';
import { IdentityConfig } from './identity.config.js';
import { IdentityModule } from './identity.module.js';

/** Starts identity. Stateless: run as many as needed. */
export function startIdentity(environment: Environment = processEnvironment()): Promise<RunningService> {
  const { port, managementPort } = loadConfig(IdentityConfig, environment);
  return bootstrapHttpService(IdentityModule.forRoot(environment), {
    service: 'identity',
    environment,
    port,
    managementPort,
    api: identityApi,
  });
}

if (import.meta.main) await runEntry('Identity', startIdentity);
