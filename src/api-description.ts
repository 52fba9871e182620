import type { ApiDescription } from '#libs/http';

/** What `/openapi.json` says about the business API besides its operations. */
export const apiDescription: ApiDescription = {
  title: 'Content operations API',
  description: [
    'Draft, approve, schedule and publish posts for the brands of an organization.',
    'People sign in at the identity service and send its token as a bearer. Automations work the queue with an API key',
    '(`X-Api-Key`, and `X-Brand-ID` for one brand), or create suggestions with the bearer of a service principal.',
    'Every error is `application/problem+json` (RFC 9457) with a stable `code`.',
  ].join('\n'),
  tags: [
    { name: 'Health', description: 'Is it running, is it ready, and what is wrong if not.' },
    { name: 'Posts', description: 'Posts and threads, from draft to published.' },
    {
      name: 'Content Ops',
      description: 'The operator’s queue, safe actions, daily rollups and audit events.',
    },
    { name: 'Brands', description: 'Brands and the organization that owns them.' },
    { name: 'Integrations', description: 'Connections of a brand to accounts of social networks.' },
    { name: 'Contacts', description: 'The people of an organization: kept, found, restored, erased.' },
    { name: 'Notes', description: 'Notes on a contact.' },
    { name: 'Attachments', description: 'Files of a contact.' },
    { name: 'Import and export', description: 'Contacts in and out as CSV.' },
    { name: 'Pipelines', description: 'Pipelines, their stages and boards, and how contacts move.' },
    { name: 'Widget', description: 'What the launcher’s live workspace shows of this service.' },
  ],
  apiKeys: true,
};
