import { Injectable } from '@nestjs/common';
import type {
  Credentials,
  PermissionPayload,
  RegisteredService,
  ValidatedCaller,
} from '#libs/platform-client';
import { IdentityClient } from '#libs/platform-client';
import { Permissions } from '../permissions/permissions.js';
import { Registry } from '../registry/registry.js';
import { Validation } from './validation.js';

/** How identity's own routes are guarded: by the same guards as everywhere, asking itself without going over HTTP. */
@Injectable()
export class LocalIdentityClient extends IdentityClient {
  constructor(
    private readonly validation: Validation,
    private readonly registry: Registry,
    private readonly permissions: Permissions,
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

  async permissionsOf(userId: string, authorization: string): Promise<PermissionPayload | null> {
    const asker = await this.validation.validate({ authorization });
    return asker ? this.permissions.of(userId, asker.principal.id) : null;
  }
}
