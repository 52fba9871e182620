import type { DynamicModule } from '@nestjs/common';
import { Global, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AuthModule } from '#libs/auth';
import type { Environment } from '#libs/config';
import { EnvironmentModule, loadConfig } from '#libs/config';
import { DatabaseConfig, DatabaseModule } from '#libs/database';
import { DueWorkModule, dueWorkMigrations } from '#libs/due-work';
import { DatabaseCheck, HealthModule } from '#libs/health';
import { httpMigrations } from '#libs/http';
import { AccountsModule } from './accounts/accounts.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AutomationsModule } from './automations/automations.module.js';
import { ExpirySweep } from './expiry-sweep.js';
import { IdentityConfig } from './identity.config.js';
import { IdentityProcessConfig } from './identity-process.config.js';
import { identityMigrations } from './migrations/index.js';
import { OrganizationsModule } from './organizations/organizations.module.js';
import { RegistryModule } from './registry/registry.module.js';
import { ValidationModule } from './validation/validation.module.js';

/** Slug of identity in its own registry; also the realm of its challenges. */
const OWN_SLUG = 'identity';

/** IDENTITY_DATABASE_URL, else the shared DATABASE_URL. @throws ConfigIsInvalid */
export function identityDatabase(environment: Environment): DatabaseConfig {
  const { databaseUrl } = loadConfig(IdentityProcessConfig, environment);
  return loadConfig(
    DatabaseConfig,
    databaseUrl ? { ...environment, DATABASE_URL: databaseUrl } : environment,
  );
}

/** The identity service. Global, because all its modules inject `IdentityConfig`. */
@Global()
@Module({
  imports: [
    ScheduleModule.forRoot(),
    DueWorkModule,
    HealthModule.forRoot({ checks: [DatabaseCheck] }),
    AccountsModule,
    ValidationModule,
    RegistryModule,
    OrganizationsModule,
    AuditModule,
    AutomationsModule,
  ],
  providers: [ExpirySweep],
  exports: [IdentityConfig],
})
export class IdentityModule {
  static forRoot(environment: Environment): DynamicModule {
    const config = loadConfig(IdentityConfig, environment);
    const database = identityDatabase(environment);
    return {
      module: IdentityModule,
      imports: [
        EnvironmentModule.forRoot(environment),
        DatabaseModule.forRoot(database, [...httpMigrations, ...dueWorkMigrations, ...identityMigrations]),
        AuthModule.forRoot({ service: OWN_SLUG }),
      ],
      providers: [{ provide: IdentityConfig, useValue: config }],
    };
  }
}
