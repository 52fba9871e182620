import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AuthModule } from '#libs/auth';
import { type Environment, EnvironmentModule, loadConfig } from '#libs/config';
import { DatabaseModule, type DatabaseSettings } from '#libs/database';
import { DueWorkModule } from '#libs/due-work';
import { DatabaseCheck, HealthModule } from '#libs/health';
import { AccountsModule } from './accounts/accounts.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AutomationsModule } from './automations/automations.module.js';
import { ExpirySweep } from './expiry-sweep.js';
import { IdentityConfig } from './identity.config.js';
import { identityMigrations } from './migrations/index.js';
import { OrganizationsModule } from './organizations/organizations.module.js';
import { RegistryModule } from './registry/registry.module.js';
import { ValidationModule } from './validation/validation.module.js';

/** Slug of identity in its own registry; also the realm of its challenges. */
const OWN_SLUG = 'identity';

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
  static forRoot(environment: Environment, database: DatabaseSettings): DynamicModule {
    const config = loadConfig(IdentityConfig, environment);
    return {
      module: IdentityModule,
      imports: [
        EnvironmentModule.forRoot(environment),
        DatabaseModule.forRoot(database, identityMigrations),
        AuthModule.forRoot({ service: OWN_SLUG }),
      ],
      providers: [{ provide: IdentityConfig, useValue: config }],
    };
  }
}
