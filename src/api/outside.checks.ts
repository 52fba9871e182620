import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuthConfig } from '#libs/auth';
import { type HealthCheck, HealthChecks } from '#libs/health';
import { ObjectStorage } from '#libs/object-storage';
import { GatewayConnection, IdentityClient, ServiceCredentialIsRefused } from '#libs/platform-client';

/**
 * Whether identity responds. Soft: without it every replica answers requests that need a caller with 503 and Retry-After. If
 * replicas became unready instead, public routes and probes would fail too.
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

  /** Validates an unknown credential: a refusal is healthy. Fails when identity refuses this service. */
  async check(): Promise<void> {
    const asked = this.identity.validate({ authorization: 'Bearer nobody', service: this.config.service });
    await asked.catch((error: unknown) => {
      const { cause } = error as Error;
      throw cause instanceof ServiceCredentialIsRefused ? cause : error;
    });
  }
}

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

/** Whether the object store responds. Soft: contacts are found and posts are published without it. */
@Injectable()
export class ObjectStorageCheck implements HealthCheck, OnModuleInit {
  readonly name = 'objectStorage';
  readonly hard = false;

  constructor(
    private readonly storage: ObjectStorage,
    private readonly checks: HealthChecks,
  ) {}

  onModuleInit(): void {
    this.checks.add(this);
  }

  async check(): Promise<void> {
    await this.storage.reach();
  }
}
