import type { Environment } from '#libs/config';
import { loadConfig } from '#libs/config';
import { DatabaseConfig } from '#libs/database';
import { GatewayProcessConfig } from './gateway-process.config.js';

/** GATEWAY_DATABASE_URL, else the shared DATABASE_URL. @throws ConfigIsInvalid */
export function gatewayDatabase(environment: Environment): DatabaseConfig {
  const { databaseUrl } = loadConfig(GatewayProcessConfig, environment);
  return loadConfig(
    DatabaseConfig,
    databaseUrl ? { ...environment, DATABASE_URL: databaseUrl } : environment,
  );
}
