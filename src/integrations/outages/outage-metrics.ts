import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '#libs/http';
import { ProviderRegistry } from '../registry/provider-registry.js';
import { NetworkOutages } from './network-outages.store.js';

/** Which networks answer no account. */
@Injectable()
export class OutageMetrics {
  constructor(metrics: Metrics, outages: NetworkOutages, providers: ProviderRegistry) {
    const seconds = new Gauge({
      name: 'network_outage_seconds',
      help: 'Time since a network was found to answer no account; its posts wait. 0: it answers.',
      labelNames: ['platform'] as const,
      registers: [metrics.registry],
    });
    metrics.collect('network_outages', [seconds], async () => {
      const current = await outages.current();
      for (const { platform } of providers.all()) seconds.set({ platform }, current.get(platform) ?? 0);
    });
  }
}
