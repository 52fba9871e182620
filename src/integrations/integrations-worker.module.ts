import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { AuthorizationRequestsStore } from './sign-in/authorization-requests.store.js';
import { ConnectStartsStore } from './sign-in/connect-starts.store.js';
import { ExpiringTokensSweep } from './sweeps/expiring-tokens.sweep.js';
import { StaleSealsSweep } from './sweeps/stale-seals.sweep.js';
import { sharedImports, sharedProviders } from './integrations.providers.js';

/** The worker's part: the messages the publisher needs, and the sweeps. */
@Module({
  providers: [
    ...sharedProviders,
    AuthorizationRequestsStore,
    ConnectStartsStore,
    ExpiringTokensSweep,
    StaleSealsSweep,
  ],
})
export class IntegrationsWorkerModule {
  static forRoot(): DynamicModule {
    return { module: IntegrationsWorkerModule, imports: sharedImports() };
  }
}
