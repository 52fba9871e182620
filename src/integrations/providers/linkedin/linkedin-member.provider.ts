import { Injectable } from '@nestjs/common';
import type { Grant, GrantedAccount } from '../../domain/provider-grants.js';
import { LinkedInMembers } from './linkedin-members.js';
import { MEMBER } from './linkedin-variants.js';
import { LinkedInParts, LinkedInProvider } from './linkedin.provider.js';

/** Posts of members. */
@Injectable()
export class LinkedInMemberProvider extends LinkedInProvider {
  constructor(
    parts: LinkedInParts,
    private readonly members: LinkedInMembers,
  ) {
    super(MEMBER, parts);
  }

  /** A sign-in is for one member. */
  async accounts(grant: Grant): Promise<GrantedAccount[]> {
    return [{ profile: await this.members.read(grant.accessToken), grant, consentId: null }];
  }
}
