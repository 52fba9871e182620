import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { type ConfigClass, Env, type Environment, loadConfig } from '#libs/config';
import { DatabaseConfig } from '#libs/database';
import type { PortVariable, ServiceDeclaration } from './service-declaration.js';

/** The ports and the database of one process. */
export interface ProcessConfig {
  readonly port?: number;
  readonly managementPort: number;
  readonly databaseUrl?: string;
}

const classes = new WeakMap<ServiceDeclaration, ConfigClass<ProcessConfig>>();

/** The config class of a declaration, always the same one. */
export function processConfigOf(service: ServiceDeclaration): ConfigClass<ProcessConfig> {
  const known = classes.get(service) ?? declare(service);
  classes.set(service, known);
  return known;
}

/** The database of a service: its own, else DATABASE_URL. @throws ConfigIsInvalid */
export function databaseOf(service: ServiceDeclaration, environment: Environment): DatabaseConfig {
  const { databaseUrl } = loadConfig(processConfigOf(service), environment);
  return loadConfig(
    DatabaseConfig,
    databaseUrl ? { ...environment, DATABASE_URL: databaseUrl } : environment,
  );
}

function declare({
  title,
  port,
  managementPort,
  databaseVariable,
}: ServiceDeclaration): ConfigClass<ProcessConfig> {
  class Config implements ProcessConfig {
    readonly port?: number;
    readonly managementPort!: number;
    readonly databaseUrl?: string;
  }
  if (port) addPort(Config.prototype, 'port', port, `Public port: ${title}.`);
  const management = `Port of health, metrics and internal routes: ${title}. Do not expose it outside the cluster.`;
  addPort(Config.prototype, 'managementPort', managementPort, management);
  if (databaseVariable) {
    const description = `Separate database: ${title}. Unset: DATABASE_URL.`;
    decorate(Config.prototype, 'databaseUrl', String, [
      Env(databaseVariable, { description }),
      IsOptional(),
      IsString(),
    ]);
  }
  return Config;
}

/** A TCP port; 0 takes a free one. */
function addPort(
  target: object,
  property: string,
  { variable, default: port }: PortVariable,
  description: string,
): void {
  const environment = Env(variable, { description, default: String(port) });
  decorate(target, property, Number, [environment, Max(65_535), Min(0), IsInt()]);
}

/** The type of a property decides how its variable is converted; decorated classes get it from the compiler. */
function decorate(target: object, property: string, type: unknown, all: readonly PropertyDecorator[]): void {
  Reflect.defineMetadata('design:type', type, target, property);
  for (const each of all) each(target, property);
}
