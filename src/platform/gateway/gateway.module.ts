import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AuthModule } from '#libs/auth';
import { Clock, SystemClock } from '#libs/clock';
import type { Environment } from '#libs/config';
import { EnvironmentModule, loadConfig, provideConfig } from '#libs/config';
import { DatabaseConfig, DatabaseModule } from '#libs/database';
import { DueWorkModule, dueWorkMigrations } from '#libs/due-work';
import { DatabaseCheck, HealthModule } from '#libs/health';
import { httpMigrations } from '#libs/http';
import { OutboundHttp, OutboundHttpConfig } from '#libs/outbound-http';
import { PlatformClientConfig, PlatformClientModule } from '#libs/platform-client';
import { Registrations } from './callers/registrations.js';
import { ServiceCallerGuard } from './callers/service-callers.js';
import { GatewayConfig } from './gateway.config.js';
import { GatewayProcessConfig } from './gateway-process.config.js';
import { IdentityCheck } from './identity.check.js';
import { gatewayMigrations } from './migrations/index.js';
import { OWN_SLUG } from './own-slug.js';
import { QuotaConfig } from './quota/quota.config.js';
import { QuotaController } from './quota/quota.controller.js';
import { QuotaLedger } from './quota/quota-ledger.js';
import { ExpirySweep } from './expiry.sweep.js';
import { UploadsStore } from './video/uploads.store.js';
import { VideoCalls } from './video/video-calls.js';
import { VideoController } from './video/video.controller.js';
import { Youtube } from './video/youtube.js';
import { YoutubeConfig } from './video/youtube.config.js';

const configs = [GatewayConfig, QuotaConfig, YoutubeConfig, OutboundHttpConfig].map((config) =>
  provideConfig<object>(config),
);

/** GATEWAY_DATABASE_URL, else the shared DATABASE_URL. @throws ConfigIsInvalid */
export function gatewayDatabase(environment: Environment): DatabaseConfig {
  const { databaseUrl } = loadConfig(GatewayProcessConfig, environment);
  return loadConfig(
    DatabaseConfig,
    databaseUrl ? { ...environment, DATABASE_URL: databaseUrl } : environment,
  );
}

/** The provider gateway. Routes without `ServiceCallers` require a bearer token. */
@Module({
  imports: [ScheduleModule.forRoot(), DueWorkModule],
  controllers: [VideoController, QuotaController],
  providers: [
    ...configs,
    { provide: Clock, useClass: SystemClock },
    OutboundHttp,
    Registrations,
    ServiceCallerGuard,
    QuotaLedger,
    ExpirySweep,
    UploadsStore,
    VideoCalls,
    Youtube,
  ],
})
export class GatewayModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        EnvironmentModule.forRoot(environment),
        DatabaseModule.forRoot(gatewayDatabase(environment), [
          ...httpMigrations,
          ...dueWorkMigrations,
          ...gatewayMigrations,
        ]),
        PlatformClientModule.forRoot(loadConfig(PlatformClientConfig, environment)),
        HealthModule.forRoot({ checks: [DatabaseCheck, IdentityCheck] }),
        AuthModule.forRoot({ service: OWN_SLUG }),
      ],
    };
  }
}
