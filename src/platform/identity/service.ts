import type { ServiceDeclaration } from '#libs/http';

export const identityService: ServiceDeclaration = {
  slug: 'identity',
  title: 'Identity service',
  entry: 'src/platform/identity/main',
  port: { variable: 'IDENTITY_PORT', default: 3001 },
  managementPort: { variable: 'IDENTITY_MANAGEMENT_PORT', default: 9001 },
  databaseVariable: 'IDENTITY_DATABASE_URL',
  urlVariable: 'IDENTITY_URL',
  secrets: { IDENTITY_PEPPERS: 'key', IDENTITY_SERVICE_TOKEN: 'token' },
  callers: { send: 'IDENTITY_SERVICE_TOKEN', accept: 'IDENTITY_SERVICE_TOKENS' },
  openapi: 'docs/openapi/identity.json',
  describe: async () => (await import('./start.js')).describeIdentity,
  migrations: async () => (await import('./migrations/index.js')).identityMigrations,
};
