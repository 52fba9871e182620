import type { ApiDescription } from '#libs/http';

/** What the OpenAPI document of identity says beside its operations. */
export const identityApi: ApiDescription = {
  title: 'Identity',
  description:
    'Accounts, sessions, organizations, API keys, service principals, and what everybody may do. Every other service asks `/validate` before each request. Tokens and keys are opaque, are shown once and stop working with the next request after they were revoked.',
  apiKeys: true,
  tags: [
    { name: 'Accounts', description: 'Register, sign in, stay signed in.' },
    { name: 'Sessions', description: 'Who am I, and where am I signed in.' },
    { name: 'Validation', description: 'Asked by services about the credentials they are shown.' },
    { name: 'Organizations', description: 'Organizations and their members.' },
    { name: 'API keys', description: 'Keys of an organization, bound to scopes and brands.' },
    { name: 'Service principals', description: 'Automations with a name and a bearer token of their own.' },
    { name: 'Registry', description: 'Services, their permissions, scopes and role bundles.' },
    { name: 'Permissions', description: 'What a user may do, and why.' },
    { name: 'Audit', description: 'Who changed what.' },
    { name: 'Health', description: 'Probes.' },
  ],
  problemMembers: {
    invitationId: {
      type: 'string',
      format: 'uuid',
      description: 'Of `already_invited`: the pending invitation of the same person.',
    },
    invitationStatus: {
      type: 'string',
      enum: ['accepted', 'declined', 'withdrawn', 'expired'],
      description: 'Of `invitation_closed`: what ended it.',
    },
  },
};
