import { Injectable } from '@nestjs/common';
import type { Grant, GrantedAccount } from '../../domain/provider-grants.js';
import { LinkedInOrganizations } from './linkedin-organizations.js';
import { ORGANIZATION } from './linkedin-variants.js';
import { LinkedInParts, LinkedInProvider } from './linkedin.provider.js';

/** Posts of organizations, by a member with a role that allows them. */
@Injectable()
export class LinkedInOrganizationProvider extends LinkedInProvider {
  constructor(
    parts: LinkedInParts,
    private readonly organizations: LinkedInOrganizations,
  ) {
    super(ORGANIZATION, parts);
  }

  accounts(grant: Grant): Promise<GrantedAccount[]> {
    return this.organizations.of(grant);
  }
}
