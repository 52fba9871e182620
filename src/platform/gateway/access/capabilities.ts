import { Injectable } from '@nestjs/common';
import { GatewayConfig } from '../gateway.config.js';
import { CAPABILITIES, type Capability } from './attribution.js';

/** What no configuration extends: GW-17 and GW-28 of the specification. */
const AT_MOST: ReadonlyMap<string, readonly Capability[]> = new Map<string, readonly Capability[]>([
  ['mail', ['completions', 'transcriptions']],
  ['settlement', []],
]);

/** Those that a token which any application may send is not enough for. */
const WITH_DEDICATED_TOKEN: readonly Capability[] = ['payments'];

/** What each application may use; an application without a restriction may use everything. */
@Injectable()
export class Capabilities {
  private readonly configured: ReadonlyMap<string, readonly string[]>;

  constructor({ applicationCapabilities = '' }: GatewayConfig) {
    const entries = applicationCapabilities.split(',').filter(Boolean);
    this.configured = new Map(
      entries.map((entry) => {
        const [slug = '', capabilities = ''] = entry.split(':');
        return [slug, capabilities.split('+')];
      }),
    );
  }

  isAllowed(slug: string, capability: Capability): boolean {
    const [most, configured] = [AT_MOST.get(slug) ?? CAPABILITIES, this.configured.get(slug) ?? CAPABILITIES];
    return most.includes(capability) && configured.includes(capability);
  }

  isRestricted(slug: string): boolean {
    return AT_MOST.has(slug) || this.configured.has(slug);
  }

  needsDedicatedToken(capability: Capability): boolean {
    return WITH_DEDICATED_TOKEN.includes(capability);
  }
}
