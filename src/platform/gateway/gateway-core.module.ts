import { Global, Module } from '@nestjs/common';
import { Clock, SystemClock } from '#libs/clock';
import { provideConfig } from '#libs/config';
import { OutboundHttp, OutboundHttpConfig } from '#libs/outbound-http';
import { Registrations } from './callers/registrations.js';
import { ServiceCallerGuard } from './callers/service-callers.js';
import { GatewayConfig } from './gateway.config.js';

const configs = [GatewayConfig, OutboundHttpConfig].map((config) => provideConfig<object>(config));

const shared = [
  ...configs,
  { provide: Clock, useClass: SystemClock },
  OutboundHttp,
  Registrations,
  ServiceCallerGuard,
];

/** What every part of the gateway uses. */
@Global()
@Module({ providers: shared, exports: shared })
export class GatewayCoreModule {}
