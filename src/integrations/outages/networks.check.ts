import { Injectable, type OnModuleInit } from '@nestjs/common';
import { domainError } from '#libs/errors';
import { type HealthCheck, HealthChecks } from '#libs/health';
import { NetworkOutages } from './network-outages.store.js';

/** An operator has to act before posts of these networks are sent. */
class NetworksRefuseThisService extends domainError(
  'unavailable',
  'networks_refuse_service',
  (networks: readonly string[]) =>
    `These networks refuse this service itself, and their posts wait: ${networks.join(', ')}. Repair what the code names; the posts are then sent.`,
) {}

/** Whether every network accepts this service. Soft: posts of the others are published. */
@Injectable()
export class NetworksCheck implements HealthCheck, OnModuleInit {
  readonly name = 'networks';
  readonly hard = false;
  readonly inReadiness = true;

  constructor(
    private readonly outages: NetworkOutages,
    private readonly checks: HealthChecks,
  ) {}

  onModuleInit(): void {
    this.checks.add(this);
  }

  async check(): Promise<void> {
    const refusals = (await this.outages.current()).filter(({ isRefusal }) => isRefusal);
    if (refusals.length === 0) return;
    throw new NetworksRefuseThisService(
      refusals.map(({ platform, failure: { code } }) => `${platform} (${code})`),
    );
  }
}
