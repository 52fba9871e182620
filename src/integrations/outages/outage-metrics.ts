import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '#libs/http';
import { ProviderRegistry } from '../registry/provider-registry.js';
import { NetworkOutages } from './network-outages.store.js';

@Injectable()
export class OutageMetrics {
  constructor(metrics: Metrics, outages: NetworkOutages, providers: ProviderRegistry) {
    const seconds = new Gauge({
      name: 'network_outage_seconds',
      help: 'Time since a network was found to answer no account; its posts wait. 0: it answers.',
      labelNames: ['platform'] as const,
      registers: [metrics.registry],
    });
    const refused = new Gauge({
      name: 'network_refusal_seconds',
      help: 'Time since a network refuses this service itself; its posts wait until an operator has repaired that. 0: it does not.',
      labelNames: ['platform'] as const,
      registers: [metrics.registry],
    });
    metrics.collect('network_outages', [seconds, refused], async () => {
      const current = new Map((await outages.current()).map((outage) => [outage.platform, outage]));
      for (const { platform } of providers.all()) {
        const { seconds: ongoing = 0, isRefusal = false } = current.get(platform) ?? {};
        seconds.set({ platform }, isRefusal ? 0 : ongoing);
        refused.set({ platform }, isRefusal ? ongoing : 0);
      }
    });
  }
}
