import type { DescribeParts } from '#libs/http';
import { AppModule } from './app.module.js';

/** The worker as an environment describes it. */
export const describeWorker: DescribeParts = (environment, database) => ({
  module: AppModule.forWorker(environment, database),
  requiredInProduction: ['API_INTERNAL_URL', 'INTERNAL_SERVICE_TOKEN', 'MEDIA_PUBLIC_URL'],
});
