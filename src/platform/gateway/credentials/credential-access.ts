import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller } from '#libs/auth';
import { concerns } from '#libs/http';
import { organizationOfRequest } from '../access/organization-of-request.js';
import {
  PLATFORM_ADMINS,
  PLATFORM_SUPER_ADMINS,
  mustAdministerPlatform,
} from '../access/platform-administrators.js';
import { CredentialNotFound } from './credential.errors.js';
import type { CredentialDto } from './credential.dto.js';
import { CredentialsStore } from './credentials.store.js';

const MANAGE = 'provider_credentials.manage';

export type CredentialScope = 'organization' | 'platform';

/** `check`: a call to the provider that changes nothing but what is known of the credential. */
export type Purpose = 'read' | 'check' | 'change';

/**
 * Who may manage which credentials: those of an organization need the scope provider_credentials.manage there; those of the platform are
 * changed by platform_super_admin, and read and checked by both platform administrators.
 */
@Injectable()
export class CredentialAccess {
  constructor(private readonly store: CredentialsStore) {}

  /**
   * @returns the organization of new or listed credentials, null for the platform
   * @throws PlatformRoleIsMissing, or as `organizationOfRequest`
   */
  scopeOf(request: Request, caller: Caller, scope: CredentialScope, purpose: Purpose): string | null {
    if (scope === 'organization') return organizationOfRequest(request, caller, MANAGE);
    mustAdministerPlatform(caller, rolesFor(purpose));
    return null;
  }

  async find(caller: Caller, id: string, purpose: Purpose): Promise<CredentialDto> {
    const row = await this.store.find(id);
    const { organizationId } = row;
    if (organizationId === null) {
      if (!caller.isPlatformAdministrator(PLATFORM_ADMINS)) throw new CredentialNotFound();
      mustAdministerPlatform(caller, rolesFor(purpose));
    } else {
      caller.must(MANAGE, { organizationId }, () => new CredentialNotFound());
      concerns(organizationId);
    }
    return row;
  }
}

const rolesFor = (purpose: Purpose) => (purpose === 'change' ? PLATFORM_SUPER_ADMINS : PLATFORM_ADMINS);
