import type { DescribeParts } from '#libs/http';
import { apiDescription } from './api/api-description.js';
import { AppModule } from './app.module.js';

/** Upload routes, which read their bodies themselves. Ignores case like the router. */
const UPLOADS = /^\/api\/contacts\/(import|[^/]+\/attachments)\/?$/i;
/** Callbacks that a network signs, and the form that confirms a connect. */
const FORMS = /^\/api\/integrations\/[^/]+\/(deauthorize|data-deletion|connect\/start)\/?$/i;

/** The business API as an environment describes it. */
export const describeApi: DescribeParts = (environment, database) => ({
  module: AppModule.forApi(environment, database),
  requiredInProduction: [
    'PUBLIC_URL',
    'IDENTITY_URL',
    'IDENTITY_SERVICE_TOKEN',
    'API_INTERNAL_URL',
    'INTERNAL_SERVICE_TOKEN',
  ],
  api: apiDescription,
  bodies: {
    unparsed: (path, type) => type === 'multipart/form-data' && UPLOADS.test(path),
    form: (path) => FORMS.test(path),
  },
});
