import type { DescribeParts } from '#libs/http';
import { identityApi } from './api-description.js';
import { IdentityModule } from './identity.module.js';

/** The identity service for an environment. */
export const describeIdentity: DescribeParts = (environment, database) => ({
  module: IdentityModule.forRoot(environment, database),
  requiredInProduction: ['PUBLIC_URL'],
  api: identityApi,
  bodies: { form: (path) => path === '/api/auth/revoke' },
});
