import type { ApiDescription } from '#libs/http';
import { PROBLEM_CODES } from './problem-codes.js';

/** The OpenAPI document of the provider gateway without its operations. */
export const gatewayApi: ApiDescription = {
  title: 'Provider gateway',
  description:
    'Calls providers for other services and attributes each call to an application and an organization. Services authenticate with `X-Service-Token` and identify themselves with `X-Application-Id`, their registered identifier at identity. People use bearer tokens, automations API keys.',
  firstStep: {
    text: 'With the token of a person (the page of the identity service says how to get it), ask the default model of the platform:',
    commands: `. ./.data/demo.env
curl -sS "$GATEWAY/api/ai/completions" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"messages": [{"role": "user", "content": "Suggest a headline about coffee."}]}'`,
    chapter: 'Ask a model',
    document: 'docs/tours/ai.md',
  },
  apiKeys: true,
  serviceTokens: true,
  words: () => ({ 'ProblemDto.code': PROBLEM_CODES }),
  tags: [
    { name: 'AI', description: 'Completions, images and transcriptions by any AI provider.' },
    { name: 'Models', description: 'Catalog of AI models, and which of them organizations use.' },
    {
      name: 'Credentials',
      description: 'Keys of providers: of organizations, and defaults of the platform. Write-only.',
    },
    { name: 'Audit', description: 'Who changed what.' },
    {
      name: 'Email',
      description:
        'Messages, sender domains and identities, templates, suppressions, events of the provider.',
    },
    { name: 'Email of the platform', description: 'For platform administrators.' },
    {
      name: 'Payments',
      description:
        'Products, checkouts, subscriptions and invoice previews at the payment provider, and its events.',
    },
    { name: 'Usage', description: 'What calls of AI providers used and cost.' },
    { name: 'Limits', description: 'Limits of spend per day and month.' },
    { name: 'Widget', description: 'What the workspace launcher shows of this service.' },
    { name: 'Video', description: 'Channels and resumable uploads of the video provider.' },
    { name: 'Quota', description: 'Quota units of the video provider.' },
    { name: 'Health', description: 'Probes.' },
  ],
  problemMembers: {
    model: {
      type: 'string',
      description:
        'Only with `model_not_found`, `model_retired` and `model_not_allowed`: the model, as provider/model.',
    },
    retiresAt: {
      type: ['string', 'null'],
      format: 'date',
      description: 'Only with `model_retired`: the first day without the model; null: not known.',
    },
    attempts: {
      type: 'array',
      description: 'Only of AI routes: the attempts in order, as in a success.',
      items: { type: 'object' },
    },
    providerStatus: {
      type: 'integer',
      description: 'Only with `video_provider_refused` and `payment_refused`: the status of the provider.',
    },
    providerReason: {
      type: ['string', 'null'],
      description: 'Only with `video_provider_refused`: the reason of the provider, such as `authError`.',
    },
    providerRetryAfterSeconds: {
      type: ['integer', 'null'],
      description: 'Only with `video_provider_refused`: how long the provider asks to wait.',
    },
    providerCode: {
      type: ['string', 'null'],
      description: 'Only with `payment_refused`: the code of the provider, such as `resource_missing`.',
    },
    providerParam: {
      type: ['string', 'null'],
      description: 'Only with `payment_refused`: the parameter that the provider refuses.',
    },
    providerDeclineCode: {
      type: ['string', 'null'],
      description: 'Only with `payment_refused`: why a card was declined.',
    },
    operationId: {
      type: 'string',
      format: 'uuid',
      description:
        'Only with `payment_outcome_unknown` and `payment_change_in_progress`: the operation to read.',
    },
    scope: {
      type: 'string',
      enum: ['platform', 'organization', 'application'],
      description:
        'Only with `spend_limit_reached`, `spend_estimate_too_large` and `model_unpriced`: whose limit of spend refused the call.',
    },
    setBy: {
      type: 'string',
      enum: ['platform', 'organization'],
      description:
        'With `scope`: who set the limit. Platform administrators alone raise those of the platform.',
    },
    window: {
      type: 'string',
      enum: ['day', 'month'],
      description: 'With `scope`: the period of the limit, UTC.',
    },
    bucket: {
      type: 'string',
      description: 'Only with `video_quota_exhausted`: the bucket without units.',
    },
    resetsAt: {
      type: 'string',
      format: 'date-time',
      description:
        'With `video_quota_exhausted`: midnight in Pacific time. With `scope`: when the limit of spend is reset.',
    },
  },
};
