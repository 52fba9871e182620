import { Injectable } from '@nestjs/common';
import type { HealthCheck } from '#libs/health';
import { IdentityClient, ServiceCredentialIsRefused } from '#libs/platform-client';
import { OWN_SLUG } from './access/attributions.js';

/** Whether identity responds. Soft: without it every call is refused with 503, on every replica alike. */
@Injectable()
export class IdentityCheck implements HealthCheck {
  readonly name = 'identity';
  readonly hard = false;

  constructor(private readonly identity: IdentityClient) {}

  async check(): Promise<void> {
    await this.identity.registration(OWN_SLUG).catch((error: unknown) => {
      const { cause } = error as Error;
      throw cause instanceof ServiceCredentialIsRefused ? cause : error;
    });
  }
}
