import { Injectable } from '@nestjs/common';
import { IdentityClient } from '#libs/platform-client';
import { LimitedApplicationIsUnknown, LimitedOrganizationIsUnknown } from './limits.errors.js';
import type { SpendScope } from '../spend/spend-limit.js';

/** Asks identity whether the application or organization that a request names for a limit exists. */
@Injectable()
export class KnownScopes {
  constructor(private readonly identity: IdentityClient) {}

  /** @throws LimitedApplicationIsUnknown, LimitedOrganizationIsUnknown, IdentityIsUnavailable */
  async verify({ scopeType, scopeValue, setBy }: SpendScope): Promise<void> {
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
