import type { ServiceDeclaration } from '#libs/http';

export const gatewayService: ServiceDeclaration = {
  slug: 'gateway',
  title: 'Provider gateway',
  entry: 'src/platform/gateway/main',
  port: { variable: 'GATEWAY_PORT', default: 3003 },
  managementPort: { variable: 'GATEWAY_MANAGEMENT_PORT', default: 9003 },
  databaseVariable: 'GATEWAY_DATABASE_URL',
  urlVariable: 'GATEWAY_URL',
  secrets: { GATEWAY_ENCRYPTION_KEYS: 'key', GATEWAY_SERVICE_TOKEN: 'token' },
  callers: { send: 'GATEWAY_SERVICE_TOKEN', accept: 'GATEWAY_SERVICE_TOKENS' },
  openapi: 'docs/openapi/gateway.json',
  describe: async () => (await import('./start.js')).describeGateway,
  migrations: async () => (await import('./migrations/index.js')).gatewayMigrations,
};
