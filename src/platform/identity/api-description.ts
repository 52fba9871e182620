import type { ApiDescription } from '#libs/http';

/** The OpenAPI document of identity without its operations. */
export const identityApi: ApiDescription = {
  title: 'Identity',
  description:
    'Accounts, sessions, organizations, API keys, service principals and permissions. Every other service calls `/validate` before each request. Tokens and keys are opaque and shown once. The next request after a revocation is refused.',
  apiKeys: true,
  serviceTokens: true,
  tags: [
    { name: 'Accounts', description: 'Register, sign in, refresh and revoke tokens.' },
    { name: 'Sessions', description: 'The signed-in user and the sessions of the account.' },
    { name: 'Validation', description: 'Services validate the credentials of their callers.' },
    { name: 'Organizations', description: 'Organizations and their members.' },
    { name: 'API keys', description: 'Keys of an organization, bound to scopes and brands.' },
    { name: 'Service principals', description: 'Automations with their own name and bearer token.' },
    { name: 'Registry', description: 'Services, their permissions, scopes and role bundles.' },
    { name: 'Permissions', description: 'The permissions of a user and their sources.' },
    { name: 'Audit', description: 'Changes and the actors that made them.' },
    { name: 'Health', description: 'Probes.' },
  ],
  problemMembers: {
    invitationId: {
      type: 'string',
      format: 'uuid',
      description: 'Only with `already_invited`: the pending invitation of the same person.',
    },
    invitationStatus: {
      type: 'string',
      enum: ['accepted', 'declined', 'withdrawn', 'expired'],
      description: 'Only with `invitation_closed`: the status of the invitation.',
    },
  },
};
