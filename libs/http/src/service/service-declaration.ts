import type { Environment } from '#libs/config';
import type { DatabaseSettings, MigrationClass } from '#libs/database';
import type { DescribedService } from './start-http-service.js';

/** What a service is made of, besides its declaration. */
export type DescribeParts = (
  environment: Environment,
  database: DatabaseSettings,
) => Pick<DescribedService, 'module' | 'requiredInProduction' | 'api' | 'bodies'>;

/** The variable of a port and the port without it. */
export interface PortVariable {
  readonly variable: string;
  readonly default: number;
}

/**
 * What the rest of the repository needs to know of a service. Plain data with lazy imports: the image's health check reads it every
 * few seconds and must not load the service.
 */
export interface ServiceDeclaration {
  /** In logs, metrics, health and docs/operations.md. */
  readonly slug: string;
  /** On the start screen and in messages, such as `Identity service`. */
  readonly title: string;
  /** The entry file, without extension: `src/platform/identity/main`. */
  readonly entry: string;
  /** Public port. Without one the service has a management address only, as workers have. */
  readonly port?: PortVariable;
  readonly managementPort: PortVariable;
  /** Variable of a database of its own, which is DATABASE_URL when unset. Without it, the service always uses DATABASE_URL. */
  readonly databaseVariable?: string;
  /** Variable in which other services get its address. On one machine, the service starts only when it is unset. */
  readonly urlVariable?: string;
  /** Variables that one machine generates once: a token, or `id:` and a key of 32 bytes in base64. */
  readonly secrets: Readonly<Record<string, 'token' | 'key'>>;
  /** Services that call it send the token of `send`; it knows them from `accept`, as `name:token`. */
  readonly callers?: { readonly send: string; readonly accept: string };
  /** The committed OpenAPI document, as a path. */
  readonly openapi?: string;
  readonly describe: () => Promise<DescribeParts>;
  readonly migrations: () => Promise<readonly MigrationClass[]>;
}
