import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller } from '#libs/auth';
import { concerns } from '#libs/http';
import { IdentityClient } from '#libs/platform-client';
import { organizationOfRequest } from '../../../access/organization-of-request.js';
import { mustAdministerPlatform, PLATFORM_ADMINS } from '../../../access/platform-administrators.js';
import type { SpendLimit, SpendScope } from '../spend/spend-limit.js';
import {
  LimitedApplicationIsUnknown,
  LimitedOrganizationIsUnknown,
  SpendLimitIsOfPlatform,
  SpendLimitNotFound,
} from './limits.errors.js';
import { LimitsStore } from './limits.store.js';

const MANAGE = 'limits.manage';

/**
 * Who may manage which limits: those that an organization set for itself or an application in it need the scope limits.manage there;
 * those that the platform set are managed by platform administrators. An organization sees what the platform set for it.
 */
@Injectable()
export class LimitAccess {
  constructor(
    private readonly store: LimitsStore,
    private readonly identity: IdentityClient,
  ) {}

  /**
   * @returns the organization of new or listed limits, null for the platform
   * @throws PlatformRoleIsMissing, or as `organizationOfRequest`
   */
  scopeOf(request: Request, caller: Caller, isOfPlatform: boolean): string | null {
    if (!isOfPlatform) return organizationOfRequest(request, caller, MANAGE);
    mustAdministerPlatform(caller, PLATFORM_ADMINS);
    return null;
  }

  /** To see it. @throws SpendLimitNotFound, ScopeIsMissing */
  async find(caller: Caller, id: string): Promise<SpendLimit> {
    const limit = await this.store.find(id);
    if (!limit) throw new SpendLimitNotFound();
    const { organizationId } = limit;
    if (limit.setBy === 'platform' && caller.isPlatformAdministrator(PLATFORM_ADMINS)) return limit;
    if (organizationId === null) throw new SpendLimitNotFound();
    caller.must(MANAGE, { organizationId }, () => new SpendLimitNotFound());
    concerns(organizationId);
    return limit;
  }

  /** To change or delete it. @throws SpendLimitIsOfPlatform, and as `find` */
  async findToChange(caller: Caller, id: string): Promise<SpendLimit> {
    const limit = await this.find(caller, id);
    if (limit.setBy === 'platform' && !caller.isPlatformAdministrator(PLATFORM_ADMINS))
      throw new SpendLimitIsOfPlatform();
    return limit;
  }

  /**
   * Asks identity whether the application or organization of a new limit exists.
   * @throws LimitedApplicationIsUnknown, LimitedOrganizationIsUnknown, IdentityIsUnavailable
   */
  async assertKnown({ scopeType, scopeValue, setBy }: SpendScope): Promise<void> {
    if (scopeType === 'application') {
      const { application } = await this.identity.verifyAttribution({ applicationId: scopeValue });
      if (!application) throw new LimitedApplicationIsUnknown();
    }
    // The organization of its own limit is one of the caller's.
    if (scopeType === 'organization' && setBy === 'platform') {
      const { organizationExists } = await this.identity.verifyAttribution({ organizationId: scopeValue });
      if (!organizationExists) throw new LimitedOrganizationIsUnknown();
    }
  }
}
