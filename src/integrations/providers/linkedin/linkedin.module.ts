import { Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { NetworkAccessModule } from '../network-access.module.js';
import { LinkedInCalls } from './linkedin-calls.js';
import { LinkedInFeed } from './linkedin-feed.js';
import { LinkedInMediaUpload } from './linkedin-media-upload.js';
import { LinkedInMemberProvider } from './linkedin-member.provider.js';
import { LinkedInMembers } from './linkedin-members.js';
import { LinkedInOAuth } from './linkedin-oauth.js';
import { LinkedInOrganizationProvider } from './linkedin-organization.provider.js';
import { LinkedInOrganizations } from './linkedin-organizations.js';
import { LinkedInConfig } from './linkedin.config.js';
import { LinkedInParts } from './linkedin.provider.js';

const PROVIDERS = [LinkedInMemberProvider, LinkedInOrganizationProvider];

@Module({
  imports: [NetworkAccessModule],
  providers: [
    provideConfig(LinkedInConfig),
    LinkedInCalls,
    LinkedInFeed,
    LinkedInMediaUpload,
    LinkedInMembers,
    LinkedInOAuth,
    LinkedInOrganizations,
    LinkedInParts,
    ...PROVIDERS,
  ],
  exports: PROVIDERS,
})
export class LinkedInModule {}
