import { Global, Module } from '@nestjs/common';
import { Clock, SystemClock } from '#libs/clock';
import { provideConfig } from '#libs/config';
import { OutboundHttp, OutboundHttpConfig } from '#libs/outbound-http';
import { AiCallerGuard } from './callers/ai-callers.js';
import { ApplicationTokens } from './callers/application-tokens.js';
import { Attributions } from './callers/attributions.js';
import { Capabilities } from './callers/capabilities.js';
import { OrganizationCallerGuard } from './callers/organization-callers.js';
import { PlatformCallerGuard } from './callers/platform-callers.js';
import { Registrations } from './callers/registrations.js';
import { ServiceAuthentication } from './callers/service-authentication.js';
import { ServiceCallerGuard } from './callers/service-callers.js';
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
