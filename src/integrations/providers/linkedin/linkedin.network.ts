import type { NetworkDeclaration } from '../network.declaration.js';
import { LinkedInMemberProvider } from './linkedin-member.provider.js';
import { LinkedInOrganizationProvider } from './linkedin-organization.provider.js';
import { rulesOf } from './linkedin-rules.js';
import type { Variant } from './linkedin-variants.js';
import { MEMBER, ORGANIZATION } from './linkedin-variants.js';
import { LinkedInConfig } from './linkedin.config.js';
import { LinkedInModule } from './linkedin.module.js';

const sandbox = {
  addresses: {
    LINKEDIN_API_URL: '/linkedin',
    LINKEDIN_OAUTH_URL: '/linkedin-web/oauth/v2',
    LINKEDIN_AUTHORIZE_URL: '/linkedin-web/oauth/v2/authorization',
  },
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
