import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { type Environment, EnvironmentModule, loadConfig } from '#libs/config';
import { DatabaseConfig, DatabaseModule, withoutTimeLimits } from '#libs/database';
import { EventStoreModule } from '#libs/event-store';
import { BrandsWorkerModule } from '../brands/brands-worker.module.js';
import { ContentOpsWorkerModule } from '../content-ops/content-ops-worker.module.js';
import { businessMigrations } from '../api/migrations.js';
import { PipelinesWorkerModule } from '../pipelines/pipelines-worker.module.js';
import { PostsWorkerModule } from '../posts/posts-worker.module.js';

/** The features that derive tables from the log, without publisher and routes. */
@Module({})
export class MaintenanceModule {
  static for(environment: Environment): DynamicModule {
    return {
      module: MaintenanceModule,
      imports: [
        EnvironmentModule.forRoot(environment),
        CqrsModule.forRoot(),
        DatabaseModule.forRoot(
          withoutTimeLimits(loadConfig(DatabaseConfig, environment)),
          businessMigrations,
        ),
        EventStoreModule,
        BrandsWorkerModule,
        PostsWorkerModule,
        PipelinesWorkerModule,
        ContentOpsWorkerModule,
      ],
    };
  }
}
