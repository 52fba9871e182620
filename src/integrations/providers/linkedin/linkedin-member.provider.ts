import { Injectable } from '@nestjs/common';
import { NetworkIsUnavailable } from '../../domain/integration.errors.js';
import type { AccountProfile, Grant, GrantedAccount } from '../../domain/provider-grants.js';
import { addressIn, bodyIn, memberOf, wordsIn } from '../values.js';
import { LinkedInCalls } from './linkedin-calls.js';
import { memberIdIn } from './linkedin-values.js';
import { MEMBER } from './linkedin-variants.js';
import { LinkedInParts, LinkedInProvider } from './linkedin.provider.js';

/** UTF-16 units. */
const MAX_NAME = 200;

/** The member of a token: GET /v2/userinfo (learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2). */
@Injectable()
export class LinkedInMembers {
  constructor(private readonly calls: LinkedInCalls) {}

  /** LinkedIn gives no user name: the name of the person stands for it. @throws NetworkIsUnavailable */
  async read(accessToken: string): Promise<AccountProfile> {
    const response = await this.calls.get(accessToken, '/v2/userinfo');
    const profile = profileIn(bodyIn(response));
    if (profile === null) throw new NetworkIsUnavailable(MEMBER.displayName);
    return profile;
  }
}

function profileIn(body: unknown): AccountProfile | null {
  const accountId = memberIdIn(memberOf(body, 'sub'));
  if (accountId === null) return null;
  const parts = [memberOf(body, 'given_name'), memberOf(body, 'family_name')];
  const name =
    wordsIn(memberOf(body, 'name'), MAX_NAME) ??
    wordsIn(parts.filter((part) => typeof part === 'string').join(' '), MAX_NAME) ??
    accountId;
  return {
    accountId,
    username: name,
    displayName: name,
    avatarUrl: addressIn(memberOf(body, 'picture')),
    facts: {},
  };
}

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
