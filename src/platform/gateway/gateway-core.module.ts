import { Global, Module } from '@nestjs/common';
import { Clock, SystemClock } from '#libs/clock';
import { provideConfig } from '#libs/config';
import { OutboundHttp, OutboundHttpConfig } from '#libs/outbound-http';
import { Applications, ServiceAuthentication } from './access/service-authentication.js';
import { Attributions } from './access/attributions.js';
import { CallerGuard } from './access/caller.guard.js';
import { GatewayConfig } from './gateway.config.js';

const configs = [GatewayConfig, OutboundHttpConfig].map((config) => provideConfig<object>(config));

const shared = [
  ...configs,
  { provide: Clock, useClass: SystemClock },
  OutboundHttp,
  Attributions,
  Applications,
  ServiceAuthentication,
  CallerGuard,
];

/** What every part of the gateway uses. */
@Global()
@Module({ providers: shared, exports: shared })
export class GatewayCoreModule {}
