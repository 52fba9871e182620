import { Global, Module } from '@nestjs/common';
import { Clock, SystemClock } from '#libs/clock';
import { provideConfig } from '#libs/config';
import { OutboundHttp, OutboundHttpConfig } from '#libs/outbound-http';
import { AiCallerGuard } from './access/ai-callers.js';
import { ApplicationTokens } from './access/application-tokens.js';
import { Attributions } from './access/attributions.js';
import { Capabilities } from './access/capabilities.js';
import { OrganizationCallerGuard } from './access/organization-callers.js';
import { PlatformCallerGuard } from './access/platform-callers.js';
import { Registrations } from './access/registrations.js';
import { ServiceAuthentication } from './access/service-authentication.js';
import { ServiceCallerGuard } from './access/service-callers.js';
import { GatewayConfig } from './gateway.config.js';

const configs = [GatewayConfig, OutboundHttpConfig].map((config) => provideConfig<object>(config));

const shared = [
  ...configs,
  { provide: Clock, useClass: SystemClock },
  OutboundHttp,
  Registrations,
  Attributions,
  ApplicationTokens,
  Capabilities,
  ServiceAuthentication,
  ServiceCallerGuard,
  AiCallerGuard,
  OrganizationCallerGuard,
  PlatformCallerGuard,
];

/** What every part of the gateway uses. */
@Global()
@Module({ providers: shared, exports: shared })
export class GatewayCoreModule {}
