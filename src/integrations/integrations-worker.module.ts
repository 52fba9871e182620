import { type DynamicModule, Module } from '@nestjs/common';
import { AuthorizationRequestsStore } from './sign-in/authorization-requests.store.js';
import { ConnectStartsStore } from './sign-in/connect-starts.store.js';
import { AccountFactsSweep } from './sweeps/account-facts.sweep.js';
import { EndingGrantsSweep } from './sweeps/ending-grants.sweep.js';
import { ExpiringTokensSweep } from './sweeps/expiring-tokens.sweep.js';
import { NetworkUsageSweep } from './sweeps/network-usage.sweep.js';
import { ReencryptTokens } from './sweeps/reencrypt-tokens.sweep.js';
import { NetworksCheck } from './outages/networks.check.js';
import { OutageMetrics } from './outages/outage-metrics.js';
import { sharedImports, sharedProviders } from './integrations.providers.js';

/** The worker's part: the messages the publisher needs, and the sweeps. */
@Module({
  providers: [
    ...sharedProviders,
    AuthorizationRequestsStore,
    ConnectStartsStore,
    ExpiringTokensSweep,
    ReencryptTokens,
    NetworkUsageSweep,
    EndingGrantsSweep,
    AccountFactsSweep,
    OutageMetrics,
    NetworksCheck,
  ],
})
export class IntegrationsWorkerModule {
  static forRoot(): DynamicModule {
    return { module: IntegrationsWorkerModule, imports: sharedImports() };
  }
}
