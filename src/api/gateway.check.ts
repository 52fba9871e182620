import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type HealthCheck, HealthChecks } from '#libs/health';
import { GatewayConnection } from '#libs/platform-client';

/** Whether the provider gateway is ready. Soft: without it posts of other networks than YouTube are published. */
@Injectable()
export class GatewayCheck implements HealthCheck, OnModuleInit {
  readonly name = 'gateway';
  readonly hard = false;

  constructor(
    private readonly gateway: GatewayConnection,
    private readonly checks: HealthChecks,
  ) {}

  onModuleInit(): void {
    if (this.gateway.isConfigured) this.checks.add(this);
  }

  check(): Promise<void> {
    return this.gateway.reach();
  }
}
