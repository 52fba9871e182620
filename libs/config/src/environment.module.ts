import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from './load-config.js';

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
