import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { type Environment, EnvironmentModule, loadConfig } from '#libs/config';
import { DatabaseConfig, DatabaseModule, withoutTimeLimits } from '#libs/database';
import { EventStoreModule, Projections, Reactions, type Rebuilt } from '#libs/event-store';
import { businessMigrations } from '../api/migrations.js';
import { BrandsWorkerModule } from '../brands/brands-worker.module.js';
import { ContentOpsWorkerModule } from '../content-ops/content-ops-worker.module.js';
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

/**
 * Rebuilds views and reaction tables from the log: one by its name, or all. Services may keep running: writers wait while a
 * view is rebuilt, readers see the old rows until then.
 */
export async function rebuildProjections(
  name: string | undefined,
  environment: Environment,
): Promise<Rebuilt[]> {
  const context = await NestFactory.createApplicationContext(MaintenanceModule.for(environment), {
    logger: ['error', 'warn'],
    abortOnError: false,
  });
  try {
    await context.get(Reactions).stop();
    return await context.get(Projections).rebuild(name);
  } finally {
    await context.close();
  }
}

export function report({ name, kind, count, differences }: Rebuilt): string {
  const unit = kind === 'view' ? 'streams' : 'events';
  if (differences === undefined) return `${name}: rebuilt from ${count} ${unit}.`;
  if (differences === 0) return `${name}: is what its ${count} ${unit} give.`;
  return `${name}: ${differences} rows differ from what its ${count} ${unit} give. Nothing was changed.`;
}

export async function runRebuild(environment: Environment, [name]: readonly string[]): Promise<string[]> {
  const rebuilt = await rebuildProjections(name, environment);
  if (rebuilt.some(({ differences }) => differences)) process.exitCode = 2;
  return rebuilt.map(report);
}
