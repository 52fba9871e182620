import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AuthorizationRequestsStore } from './connections/authorization-requests.store.js';
import { ExpiringTokensSweep } from './expiring-tokens.sweep.js';
import { StaleSealsSweep } from './stale-seals.sweep.js';
import { sharedProviders } from './integrations.providers.js';

/** The worker's part: the messages the publisher needs, and the sweeps. */
@Module({
  imports: [CqrsModule],
  providers: [...sharedProviders, AuthorizationRequestsStore, ExpiringTokensSweep, StaleSealsSweep],
})
export class IntegrationsWorkerModule {}
