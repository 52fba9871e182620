import { Injectable } from '@nestjs/common';
import {
  type ClaimedAttribution,
  type Credentials,
  IdentityClient,
  type PermissionPayload,
  type RegisteredService,
  type Registration,
  type ValidatedCaller,
  type VerifiedAttribution,
} from '#libs/platform-client';
import { Permissions } from '../organizations/permissions/permissions.js';
import { Registry } from '../registry/registry.js';
import { AttributionCheck } from './attribution-check.js';
import { Validation } from './validation.js';

/** Lets the guards of #libs/auth protect identity's own routes without an HTTP call. */
@Injectable()
export class LocalIdentityClient extends IdentityClient {
  constructor(
    private readonly validation: Validation,
    private readonly registry: Registry,
    private readonly permissions: Permissions,
    private readonly attributions: AttributionCheck,
  ) {
    super();
  }

  async validate(credentials: Credentials): Promise<ValidatedCaller | null> {
    const validated = await this.validation.validate(credentials);
    return validated?.service ? { ...validated, service: validated.service } : null;
  }

  findService(slug: string): Promise<RegisteredService | null> {
    return this.registry.find(slug);
  }

  registration(slug: string): Promise<Registration | null> {
    return this.registry.find(slug);
  }

  verifyAttribution(claimed: ClaimedAttribution): Promise<VerifiedAttribution> {
    return this.attributions.verify(claimed);
  }

  async permissionsOf(userId: string, authorization: string): Promise<PermissionPayload | null> {
    const caller = await this.validation.validate({ authorization });
    return caller ? this.permissions.of(userId, caller.principal.id) : null;
  }
}
