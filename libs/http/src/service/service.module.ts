import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { LoggerModule } from 'nestjs-pino';
import { CursorCodec } from '../lists/cursor-codec.js';
import { Pages } from '../lists/pages.js';
import { Metrics } from './metrics.js';
import { ApiDocument } from '../openapi/api-description.js';
import { ProblemFilter } from './problem.filter.js';
import { LimitsOfHandler, RateLimits } from '../rate-limits/rate-limits.js';
import { RateLimitGuard } from '../rate-limits/rate-limit.guard.js';
import { RefusedCredentialsGuard } from '../rate-limits/refused-credentials.guard.js';
import { RouteLimits } from '../rate-limits/route-limits.js';
import { RequestValidationPipe } from '../validation/request-validation.pipe.js';
import { ExpiredRequestsSweep } from './expired-requests.sweep.js';
import { HttpConfig } from '../context/http.config.js';
import { loggingOptions } from './logging.js';
import { WorkInFlight } from '../context/work-in-flight.js';
import { ServiceInfo } from '../context/request-context.js';

/** What every service provides to its feature modules; global within the service. */
@Global()
@Module({})
export class ServiceModule {
  static around(module: Type | DynamicModule, info: ServiceInfo, config: HttpConfig): DynamicModule {
    return {
      module: ServiceModule,
      imports: [LoggerModule.forRoot(loggingOptions(info.name, config.logLevel)), module],
      providers: [
        { provide: HttpConfig, useValue: config },
        { provide: ServiceInfo, useValue: info },
        { provide: CursorCodec, useValue: new CursorCodec(config.cursorSecret) },
        { provide: APP_FILTER, useClass: ProblemFilter },
        // This module is the outermost, so its guard runs first.
        { provide: APP_GUARD, useExisting: RefusedCredentialsGuard },
        { provide: APP_PIPE, useClass: RequestValidationPipe },
        WorkInFlight,
        RateLimits,
        LimitsOfHandler,
        RouteLimits,
        RateLimitGuard,
        RefusedCredentialsGuard,
        ExpiredRequestsSweep,
        Metrics,
        ApiDocument,
        Pages,
      ],
      exports: [
        HttpConfig,
        ServiceInfo,
        WorkInFlight,
        Pages,
        Metrics,
        ApiDocument,
        RateLimits,
        LimitsOfHandler,
      ],
    };
  }
}
