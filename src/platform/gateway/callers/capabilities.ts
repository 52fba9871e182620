import { Injectable } from '@nestjs/common';
import { GatewayConfig } from '../gateway.config.js';
import type { Capability } from './attribution.js';

/** What each application may use; an application without an entry may use everything. */
@Injectable()
export class Capabilities {
  private readonly restricted: ReadonlyMap<string, readonly string[]>;

  constructor({ applicationCapabilities }: GatewayConfig) {
    const entries = applicationCapabilities.split(',').filter(Boolean);
    this.restricted = new Map(
      entries.map((entry) => {
        const [slug = '', capabilities = ''] = entry.split(':');
        return [slug, capabilities.split('+')];
      }),
    );
  }

  isAllowed(slug: string, capability: Capability): boolean {
    return this.restricted.get(slug)?.includes(capability) ?? true;
  }
}
