import type { ApiDescription } from '#libs/http';
import { EventStore } from '#libs/event-store';
import { FAILURE_CODES, HOLD_REASONS } from './failure-codes.js';
import { PROBLEM_CODES } from './problem-codes.js';

const HOLDING = [
  'PostDto',
  'WrittenPostDto',
  'BatchPostDto',
  'QueueEntryDto',
  'ContentItemDto',
  'ChangedItemDto',
  'IntegrationDto',
];
const of = (words: readonly string[], ...places: string[]) =>
  Object.fromEntries(places.map((place) => [place, words]));

/** The parts of the business API's OpenAPI document that are not operations. */
export const apiDescription: ApiDescription = {
  title: 'Business API',
  description: [
    'Draft, approve, schedule and publish posts for the brands of an organization.',
    'People sign in at the identity service and send its token as a bearer. Automations work the queue with an API key',
    '(`X-Api-Key`, and `X-Brand-ID` for one brand), or create suggestions with the bearer of a service principal.',
    'Every error is `application/problem+json` (RFC 9457) with a stable `code`.',
  ].join('\n'),
  tags: [
    { name: 'Posts', description: 'Posts and threads, from draft to published.' },
    {
      name: 'Content Ops',
      description: 'The operator’s queue, safe actions, daily rollups and audit events.',
    },
    { name: 'Media', description: 'The library of files of a brand, and the addresses that serve them.' },
    { name: 'Trends', description: 'Trends of a brand from an AI model and from feeds, as ideas for posts.' },
    { name: 'AI', description: 'Pictures by AI models, in the library of a brand.' },
    { name: 'Brands', description: 'Brands and the organization that owns them.' },
    { name: 'Integrations', description: 'Connections of a brand to accounts of social networks.' },
    { name: 'Contacts', description: 'The contacts of an organization: create, search, restore, erase.' },
    { name: 'Notes', description: 'Notes on a contact.' },
    { name: 'Attachments', description: 'Files of a contact.' },
    { name: 'Import and export', description: 'Import and export of contacts as CSV.' },
    { name: 'Pipelines', description: 'Pipelines, their stages and boards, and the moves of contacts.' },
    { name: 'Widget', description: 'Data of this service for the live workspace of the launcher.' },
    { name: 'Health', description: 'Liveness, readiness and the state of dependencies.' },
  ],
  firstStep: {
    text: 'In the folder of this product, load the addresses and credentials of the demo organization, then list the queue of its brand:',
    commands: `. ./.data/demo.env
curl -sS "$API/api/content-ops/queue" \\
  -H "X-Api-Key: $API_KEY" -H "X-Brand-ID: $BRAND_ID"`,
    chapter: 'The first post',
    document: 'README.md',
  },
  apiKeys: true,
  words: (app) => ({
    'ProblemDto.code': PROBLEM_CODES,
    ...of(FAILURE_CODES, 'FailureDto.code', 'ContentFailureDto.code', 'RetryingDto.code'),
    ...of(HOLD_REASONS, ...HOLDING.map((schema) => `${schema}.holdReason`)),
    'AuditEventDto.kind': app.get(EventStore, { strict: false }).types.kinds,
  }),
  problemMembers: {
    otherPostId: {
      type: 'string',
      format: 'uuid',
      description:
        'Of `platform_post_id_taken`: the post that has this id; left out where the caller may not see it.',
    },
    readiness: {
      type: 'string',
      description: 'Of `provider_not_connectable`: how far accounts of the network can be connected.',
    },
    maximum: { type: 'integer', description: 'Of `pipeline_is_full`: how many stages a pipeline may have.' },
    cards: {
      type: 'integer',
      description: 'Of `stage_holds_cards`: how many cards the stage holds, counted up to 1 001.',
    },
    contactId: {
      type: 'string',
      format: 'uuid',
      description: 'Of `duplicate_contact`: the contact that has this email address.',
    },
    maxBytes: { type: 'integer', description: 'Of `file_too_large`: how large a file may be.' },
    organizationId: {
      type: 'string',
      format: 'uuid',
      description: 'Of `columns_not_recognized`: the organization that the file was for.',
    },
    columns: {
      type: 'array',
      items: { type: 'string' },
      description: 'Of `columns_not_recognized`: up to 100 columns of the file, for a mapping.',
    },
    report: {
      type: 'object',
      additionalProperties: true,
      description: 'Of `import_aborted`: what became of every row, as `ImportReportDto`.',
    },
  },
};
