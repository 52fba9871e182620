import { type DynamicModule, Global, Module, type Provider, type Type } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { Clock, SystemClock } from '#libs/clock';
import type { HealthCheck } from './probe.js';
import { HealthChecks } from './health-checks.js';
import { HealthController } from './health.controller.js';
import { HealthReporter } from './health-report.js';

export interface HealthOptions {
  /** Static checks, such as `DatabaseCheck`; injected like any provider. */
  readonly checks?: readonly Type<HealthCheck>[];
}

/** /health, /healthz and /readyz. Global, so that features can add checks: inject `HealthChecks` and call `add`. */
@Global()
@Module({})
export class HealthModule {
  static forRoot({ checks = [] }: HealthOptions = {}): DynamicModule {
    const registry: Provider = {
      provide: HealthChecks,
      useFactory: (clock: Clock, ...known: HealthCheck[]) => {
        const registered = new HealthChecks(clock);
        registered.add(...known);
        return registered;
      },
      inject: [Clock, ...checks],
    };
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
      providers: [...checks, { provide: Clock, useClass: SystemClock }, registry, HealthReporter],
      exports: [HealthChecks],
    };
  }
}
