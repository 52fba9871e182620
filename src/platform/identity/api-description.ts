import type { ApiDescription } from '#libs/http';
import { PROBLEM_CODES } from './problem-codes.js';

/** The OpenAPI document of identity without its operations. */
export const identityApi: ApiDescription = {
  title: 'Identity service',
  description:
    'Accounts, sessions, organizations, API keys, service principals and permissions. Every other service calls `/validate` before each request. Tokens and keys are opaque and shown once. The next request after a revocation is refused.',
  firstStep: {
    text: 'In the folder of this product, load the credentials of the demo organization, then sign in as its owner:',
    commands: `. ./.data/demo.env
TOKEN=$(curl -sS "$IDENTITY/api/auth/login" -H 'Content-Type: application/json' \\
  -d "{\\"email\\": \\"$EMAIL\\", \\"password\\": \\"$PASSWORD\\"}" | field accessToken)
curl -sS "$API/api/posts" -H "Authorization: Bearer $TOKEN"`,
    chapter: 'The first post',
    document: 'README.md',
  },
  apiKeys: true,
  serviceTokens: true,
  words: () => ({ 'ProblemDto.code': PROBLEM_CODES }),
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
