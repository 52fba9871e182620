import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AuthModule } from '#libs/auth';
import { type Environment, EnvironmentModule, loadConfig } from '#libs/config';
import { DatabaseModule, type DatabaseSettings } from '#libs/database';
import { DueWorkModule } from '#libs/due-work';
import { DatabaseCheck, HealthModule } from '#libs/health';
import { PlatformClientConfig, PlatformClientModule } from '#libs/platform-client';
import { AiProvidersModule } from './ai/providers/ai-providers.module.js';
import { AiModule } from './ai/ai.module.js';
import { AuditModule } from './audit/audit.module.js';
import { CredentialChecksModule } from './credentials/checks/credential-checks.module.js';
import { CredentialsModule } from './credentials/credentials.module.js';
import { EmailModule } from './email/email.module.js';
import { GatewayCoreModule } from './gateway-core.module.js';
import { IdentityCheck } from './identity.check.js';
import { gatewayMigrations } from './migrations/index.js';
import { ModelsModule } from './ai/models/models.module.js';
import { OWN_SLUG } from './access/attributions.js';
import { PaymentsModule } from './payments/payments.module.js';
import { UsageModule } from './ai/usage/usage.module.js';
import { VideoModule } from './video/video.module.js';
import { WidgetModule } from './widget/widget.module.js';

/** The provider gateway. Routes without `ServiceCallers` require a bearer token. */
@Module({
  imports: [
    AiModule,
    AiProvidersModule,
    ScheduleModule.forRoot(),
    DueWorkModule,
    GatewayCoreModule,
    AuditModule,
    CredentialsModule,
    CredentialChecksModule,
    EmailModule,
    ModelsModule,
    PaymentsModule,
    UsageModule,
    VideoModule,
    WidgetModule,
  ],
})
export class GatewayModule {
  static forRoot(environment: Environment, database: DatabaseSettings): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        EnvironmentModule.forRoot(environment),
        DatabaseModule.forRoot(database, gatewayMigrations),
        PlatformClientModule.forRoot(loadConfig(PlatformClientConfig, environment)),
        HealthModule.forRoot({ checks: [DatabaseCheck, IdentityCheck] }),
        AuthModule.forRoot({ service: OWN_SLUG }),
      ],
    };
  }
}
