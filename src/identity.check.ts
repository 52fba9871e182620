import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { AuthConfig } from '#libs/auth';
import type { HealthCheck } from '#libs/health';
import { HealthChecks } from '#libs/health';
import { IdentityClient, ServiceCredentialIsRefused } from '#libs/platform-client';

/**
 * Whether identity answers. Soft: without it every request that needs a caller gets 503 with Retry-After, from this replica
 * as from all others. A replica that was not ready for that would take public routes and probes down with it.
 */
@Injectable()
export class IdentityCheck implements HealthCheck, OnModuleInit {
  readonly name = 'identity';
  readonly hard = false;

  constructor(
    private readonly identity: IdentityClient,
    private readonly checks: HealthChecks,
    private readonly config: AuthConfig,
  ) {}

  onModuleInit(): void {
    this.checks.add(this);
  }

  /** A credential that is nobody's: a definite no is a healthy answer. Says so when identity refuses this service. */
  async check(): Promise<void> {
    const asked = this.identity.validate({ authorization: 'Bearer nobody', service: this.config.service });
    await asked.catch((error: unknown) => {
      const { cause } = error as Error;
      throw cause instanceof ServiceCredentialIsRefused ? cause : error;
    });
  }
}
