import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AuthConfig, AuthModule } from '#libs/auth';
import { type Environment, EnvironmentModule, loadConfig } from '#libs/config';
import { DatabaseModule, type DatabaseSettings } from '#libs/database';
import { DueWorkModule } from '#libs/due-work';
import { EventStoreModule } from '#libs/event-store';
import { DatabaseCheck, HealthModule } from '#libs/health';
import { ObjectStorageConfig, ObjectStorageModule } from '#libs/object-storage';
import { UploadsModule } from '#libs/uploads';
import { GatewayClientModule, PlatformClientConfig, PlatformClientModule } from '#libs/platform-client';
import { AiModule } from './ai/ai.module.js';
import { AiWorkerModule } from './ai/ai-worker.module.js';
import { ApiMetadataController } from './api/api-metadata.controller.js';
import { BrandsWorkerModule } from './brands/brands-worker.module.js';
import { BrandsModule } from './brands/brands.module.js';
import { ContactsWorkerModule } from './contacts/contacts-worker.module.js';
import { ContactsModule } from './contacts/contacts.module.js';
import { ContentOpsWorkerModule } from './content-ops/content-ops-worker.module.js';
import { ContentOpsModule } from './content-ops/content-ops.module.js';
import { IntegrationsWorkerModule } from './integrations/integrations-worker.module.js';
import { IntegrationsModule } from './integrations/integrations.module.js';
import { EventLogCheck, EventLogMetrics } from './api/event-log.metrics.js';
import { WritingTransactionsMetrics } from './api/writing-transactions.metrics.js';
import { GatewayCheck, IdentityCheck, ObjectStorageCheck } from './api/outside.checks.js';
import { businessMigrations } from './api/migrations.js';
import { MediaModule } from './media/media.module.js';
import { MediaWorkerModule } from './media/media-worker.module.js';
import { PipelinesModule } from './pipelines/pipelines.module.js';
import { PostsWorkerModule } from './posts/posts-worker.module.js';
import { PostsModule } from './posts/posts.module.js';
import { PublisherModule } from './posts/publisher.module.js';
import { WidgetModule } from './widget/widget.module.js';

/** The only list of feature modules. */
@Module({})
export class AppModule {
  /** With HTTP routes. */
  static forApi(environment: Environment, database: DatabaseSettings): DynamicModule {
    const features = [
      BrandsModule,
      MediaModule,
      IntegrationsModule.forRoot(),
      PostsModule,
      AiModule,
      ContentOpsModule,
      ContactsModule,
      PipelinesModule,
      WidgetModule,
    ];
    const providers = [IdentityCheck, ObjectStorageCheck, GatewayCheck];
    const controllers = [ApiMetadataController];
    return {
      module: AppModule,
      imports: [...foundation(environment, database), ...features],
      controllers,
      providers,
    };
  }

  /** Without routes: due posts, reactions, sweeps. */
  static forWorker(environment: Environment, database: DatabaseSettings): DynamicModule {
    const features = [
      ScheduleModule.forRoot(),
      BrandsWorkerModule,
      MediaWorkerModule,
      IntegrationsWorkerModule.forRoot(),
      PostsWorkerModule,
      PublisherModule,
      AiWorkerModule,
      ContentOpsWorkerModule,
      ContactsWorkerModule,
    ];
    const providers = [
      EventLogCheck,
      EventLogMetrics,
      GatewayCheck,
      ObjectStorageCheck,
      WritingTransactionsMetrics,
    ];
    return { module: AppModule, imports: [...foundation(environment, database), ...features], providers };
  }
}

/** The modules that every feature needs. */
function foundation(environment: Environment, database: DatabaseSettings): (DynamicModule | Type)[] {
  return [
    EnvironmentModule.forRoot(environment),
    DatabaseModule.forRoot(database, businessMigrations),
    HealthModule.forRoot({ checks: [DatabaseCheck] }),
    EventStoreModule,
    DueWorkModule,
    UploadsModule,
    ObjectStorageModule.forRoot(loadConfig(ObjectStorageConfig, environment)),
    PlatformClientModule.forRoot(loadConfig(PlatformClientConfig, environment)),
    GatewayClientModule,
    AuthModule.forRoot(loadConfig(AuthConfig, environment)),
  ];
}
