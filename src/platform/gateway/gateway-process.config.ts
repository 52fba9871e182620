import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import type { Environment } from '#libs/config';
import { Env, loadConfig } from '#libs/config';
import { DatabaseConfig } from '#libs/database';

/** The addresses of the gateway and of its database, which migrations and the embedded start also need. */
export class GatewayProcessConfig {
  @Env('GATEWAY_DATABASE_URL', {
    description: 'Separate database of the provider gateway. Unset: DATABASE_URL.',
  })
  @IsOptional()
  @IsString()
  databaseUrl?: string;

  @Env('GATEWAY_PORT', { description: 'Port of the provider gateway.', default: '3003' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  port!: number;

  @Env('GATEWAY_MANAGEMENT_PORT', {
    description: 'Port of metrics and probes of the provider gateway; do not expose it outside the cluster.',
    default: '9003',
  })
  @IsInt()
  @Min(0)
  @Max(65_535)
  managementPort!: number;
}

/** GATEWAY_DATABASE_URL, else the shared DATABASE_URL. @throws ConfigIsInvalid */
export function gatewayDatabase(environment: Environment): DatabaseConfig {
  const { databaseUrl } = loadConfig(GatewayProcessConfig, environment);
  return loadConfig(
    DatabaseConfig,
    databaseUrl ? { ...environment, DATABASE_URL: databaseUrl } : environment,
  );
}
