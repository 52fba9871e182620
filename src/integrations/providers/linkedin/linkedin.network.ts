import { networkModule } from '../network-access.module.js';
import { LinkedInCalls } from './linkedin-calls.js';
import { LinkedInFeed } from './linkedin-feed.js';
import { LinkedInMediaUpload } from './linkedin-media-upload.js';
import { LinkedInMemberProvider, LinkedInMembers } from './linkedin-member.provider.js';
import { LinkedInOrganizationProvider, LinkedInOrganizations } from './linkedin-organization.provider.js';
import { LinkedInConfig } from './linkedin.config.js';
import { LinkedInParts } from './linkedin.provider.js';
import type { NetworkDeclaration, SandboxedNetwork } from '../network.declaration.js';
import { rulesOf } from './linkedin-rules.js';
import { MEMBER, ORGANIZATION, type Variant } from './linkedin-variants.js';

const PROVIDERS = [LinkedInMemberProvider, LinkedInOrganizationProvider];

const LinkedInModule = networkModule(LinkedInConfig, PROVIDERS, [
  LinkedInCalls,
  LinkedInFeed,
  LinkedInMediaUpload,
  LinkedInMembers,
  LinkedInOrganizations,
  LinkedInParts,
]);

const sandbox: SandboxedNetwork = {
  addresses: { LINKEDIN_API_URL: '/linkedin' },
  credentials: ['LINKEDIN_CLIENT_ID', 'LINKEDIN_CLIENT_SECRET'],
};

const declared = (
  variant: Variant,
  provider: NonNullable<NetworkDeclaration['connector']>['provider'],
): NetworkDeclaration => ({
  platform: variant.platform,
  displayName: variant.displayName,
  rules: rulesOf(variant),
  connector: { module: LinkedInModule, provider, config: LinkedInConfig, sandbox },
});

export const linkedin = declared(MEMBER, LinkedInMemberProvider);
export const linkedinCompany = declared(ORGANIZATION, LinkedInOrganizationProvider);
