import type { ServiceDeclaration } from '#libs/http';

const migrations = async () => (await import('./migrations.js')).businessMigrations;

export const apiService: ServiceDeclaration = {
  slug: 'api',
  title: 'Business API',
  entry: 'src/main',
  port: { variable: 'API_PORT', default: 3000 },
  managementPort: { variable: 'API_MANAGEMENT_PORT', default: 9000 },
  secrets: {
    INTERNAL_SERVICE_TOKEN: 'token',
    CURSOR_SECRET: 'token',
    ENCRYPTION_KEYS: 'key',
    MEDIA_ADDRESS_KEYS: 'key',
  },
  openapi: 'docs/openapi/business-api.json',
  describe: async () => (await import('../start-api.js')).describeApi,
  migrations,
};

/** The same features without routes: due posts, reactions and sweeps. Leases distribute the work over its replicas. */
export const workerService: ServiceDeclaration = {
  slug: 'worker',
  title: 'Worker',
  entry: 'src/worker',
  managementPort: { variable: 'WORKER_MANAGEMENT_PORT', default: 9010 },
  secrets: {},
  describe: async () => (await import('../start-worker.js')).describeWorker,
  migrations,
};
