import type { DynamicModule } from '@nestjs/common';
import { Global, Module } from '@nestjs/common';
import type { Environment } from './load-config.js';
import { ENVIRONMENT } from './load-config.js';

/**
 * The environment of one service. Services in one process have one each. Without this module,
 * `provideConfig` reads the environment of the process.
 */
@Global()
@Module({})
export class EnvironmentModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: EnvironmentModule,
      providers: [{ provide: ENVIRONMENT, useValue: environment }],
      exports: [ENVIRONMENT],
    };
  }
}
