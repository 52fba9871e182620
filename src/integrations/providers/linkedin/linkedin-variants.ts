import type { Platform, Privacy } from '#libs/content';

export interface Variant {
  readonly platform: Platform;
  readonly displayName: string;
  readonly scopes: readonly string[];
  /** Those without which nothing can be published. */
  readonly required: readonly string[];
  /** Author of posts and owner of files. */
  readonly authorOf: (accountId: string) => string;
  readonly privacies: readonly Privacy[];
  /** Whether the scopes allow this service to read posts and the state of files. */
  readonly canRead: boolean;
}

/**
 * Scopes: learn.microsoft.com/linkedin/consumer/integrations/self-serve (members) and
 * learn.microsoft.com/linkedin/marketing/community-management/organizations (organizations), read 2026-11-21. Reading posts of members
 * needs `r_member_social`, which LinkedIn gives to few partners.
 */
export const MEMBER: Variant = {
  platform: 'linkedin' as Platform,
  displayName: 'LinkedIn',
  scopes: ['openid', 'profile', 'email', 'w_member_social'],
  required: ['w_member_social'],
  authorOf: (accountId) => `urn:li:person:${accountId}`,
  privacies: ['public', 'connections'],
  canRead: false,
};

export const ORGANIZATION: Variant = {
  platform: 'linkedin-company' as Platform,
  displayName: 'LinkedIn for companies',
  scopes: ['w_organization_social', 'r_organization_social', 'rw_organization_admin'],
  required: ['w_organization_social'],
  authorOf: (accountId) => `urn:li:organization:${accountId}`,
  privacies: ['public'],
  canRead: true,
};
