import type { DynamicModule } from '@nestjs/common';
import { Global, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '#libs/auth';
import type { Environment } from '#libs/config';
import { EnvironmentModule, loadConfig } from '#libs/config';
import { DatabaseConfig, DatabaseModule } from '#libs/database';
import { DueWorkModule, dueWorkMigrations } from '#libs/due-work';
import { DatabaseCheck, HealthModule } from '#libs/health';
import { httpMigrations } from '#libs/http';
import { IdentityClient } from '#libs/platform-client';
import { AccountsController } from './accounts/accounts.controller.js';
import { Registration } from './accounts/registration.js';
import { SignIn } from './accounts/sign-in.js';
import { UserAccounts } from './accounts/user-accounts.js';
import { ApiKeysController } from './automations/api-keys/api-keys.controller.js';
import { ApiKeys } from './automations/api-keys/api-keys.js';
import { AuditController } from './audit/audit.controller.js';
import { AccountEventsController } from './audit/account-events.controller.js';
import { AuditRetention } from './audit/audit-retention.js';
import { AuditLog } from './audit/audit-log.js';
import { Grants } from './automations/grants/grants.js';
import { IdentityConfig } from './identity.config.js';
import { IdentityProcessConfig } from './identity-process.config.js';
import { InvitationsController } from './organizations/invitations/invitations.controller.js';
import { Invitations } from './organizations/invitations/invitations.js';
import { MyInvitationsController } from './organizations/invitations/my-invitations.controller.js';
import { MyInvitations } from './organizations/invitations/my-invitations.js';
import { FamiliarNetworks } from './accounts/limits/familiar-networks.js';
import { SignInMetrics } from './accounts/limits/sign-in.metrics.js';
import { LoginLimits } from './accounts/limits/login-limits.js';
import { Administration } from './access/administration.js';
import { MembersController } from './organizations/members/members.controller.js';
import { Members } from './organizations/members/members.js';
import { identityMigrations } from './migrations/index.js';
import { OrganizationsController } from './organizations/organizations.controller.js';
import { Organizations } from './organizations/organizations.js';
import { PasswordHasher } from './accounts/passwords/password-hasher.js';
import { OverridesController } from './organizations/permissions/overrides.controller.js';
import { Overrides } from './organizations/permissions/overrides.js';
import { PermissionsController } from './organizations/permissions/permissions.controller.js';
import { Permissions } from './organizations/permissions/permissions.js';
import {
  ApiKeyScopeEntity,
  PermissionEntity,
  RoleBundleEntity,
  RoleBundlePermissionEntity,
} from './registry/catalog.entities.js';
import { RegistryController } from './registry/registry.controller.js';
import { AttributionCheck } from './validation/attribution-check.js';
import { AttributionController } from './validation/attribution.controller.js';
import { RegistrationsController } from './validation/registrations.controller.js';
import { Registry } from './registry/registry.js';
import { ServiceEntity } from './registry/service.entity.js';
import { SecretHasher } from './credentials/secret-hasher.js';
import { ServicePrincipalsController } from './automations/service-principals/service-principals.controller.js';
import { ServicePrincipals } from './automations/service-principals/service-principals.js';
import { SessionsController } from './accounts/sessions.controller.js';
import { Sessions } from './accounts/sessions/sessions.js';
import { ExpirySweep } from './expiry-sweep.js';
import { LocalIdentityClient } from './validation/local-identity-client.js';
import { ValidationAnswers } from './validation/validation-answers.js';
import { ValidationBatchController } from './validation/validation-batch.controller.js';
import { ValidationController } from './validation/validation.controller.js';
import { ServiceCredentialGuard } from './validation/service-credential.guard.js';
import { Validation } from './validation/validation.js';
import { ValidationMetrics } from './validation/validation.metrics.js';

const CATALOG = [
  ServiceEntity,
  PermissionEntity,
  ApiKeyScopeEntity,
  RoleBundleEntity,
  RoleBundlePermissionEntity,
];

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

/** The identity service. Global, because the guards of #libs/auth inject `IdentityClient`. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature(CATALOG),
    ScheduleModule.forRoot(),
    DueWorkModule,
    HealthModule.forRoot({ checks: [DatabaseCheck] }),
  ],
  controllers: [
    AccountsController,
    SessionsController,
    ValidationController,
    ValidationBatchController,
    RegistryController,
    RegistrationsController,
    AttributionController,
    PermissionsController,
    OrganizationsController,
    MembersController,
    InvitationsController,
    MyInvitationsController,
    OverridesController,
    AuditController,
    AccountEventsController,
    ApiKeysController,
    ServicePrincipalsController,
  ],
  providers: [
    Validation,
    ValidationAnswers,
    ValidationMetrics,
    AttributionCheck,
    ServiceCredentialGuard,
    Registry,
    Permissions,
    { provide: IdentityClient, useClass: LocalIdentityClient },
    UserAccounts,
    Registration,
    SignIn,
    PasswordHasher,
    LoginLimits,
    FamiliarNetworks,
    Sessions,
    SecretHasher,
    ExpirySweep,
    Organizations,
    Administration,
    Members,
    Invitations,
    MyInvitations,
    Overrides,
    Grants,
    ApiKeys,
    ServicePrincipals,
    AuditLog,
    AuditRetention,
    SignInMetrics,
  ],
  exports: [IdentityClient],
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
