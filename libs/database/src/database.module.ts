import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { connect } from './connect.js';
import { assertMigrated, type MigrationClass } from './migrations.js';
import { dataSourceOptions } from './data-source-options.js';
import { DatabaseConfig, type DatabaseSettings } from './database.config.js';
import { namingOutages } from './database.errors.js';
import { Database } from './database.js';
import { assertSupported } from './requirements.js';

/** TypeORM wiring of one process. Global: features inject `Database`. */
@Global()
@Module({})
export class DatabaseModule {
  /** @param migrations must have been applied before this process starts; in any order */
  static forRoot(config: DatabaseSettings, migrations: readonly MigrationClass[]): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({
            ...dataSourceOptions(config, migrations),
            autoLoadEntities: true,
            toRetry: () => false,
          }),
          dataSourceFactory: async (options) => {
            if (!options) throw new Error('TypeORM gave no options.');
            const dataSource = await connect(options);
            try {
              await namingOutages(() => assertSupported(dataSource));
              await namingOutages(() => assertMigrated(dataSource));
            } catch (error) {
              await dataSource.destroy();
              throw error;
            }
            return dataSource;
          },
        }),
      ],
      providers: [{ provide: DatabaseConfig, useValue: config }, Database],
      exports: [Database, DatabaseConfig, TypeOrmModule],
    };
  }
}
