import { is, shape } from '../validation/shape.js';

/** One thing that is wrong with a request. */
export class FieldErrorDto extends shape({
  pointer: is.text({
    description: 'JSON Pointer into the body, as a URI fragment.',
    example: '#/scheduledAt',
  }).optional,
  parameter: is.text({ description: 'Name of the query parameter.' }).optional,
  header: is.text({ description: 'Name of the header.' }).optional,
  code: is.text({ description: 'Stable machine name.', example: 'in_past' }),
  detail: is.text({ description: 'For people.', example: 'must be in the future' }),
}) {}

/** RFC 9457, with a stable `code`, the request's id and the fields that are wrong. */
export class ProblemDto extends shape({
  type: is.text({ description: 'URI that names the kind of problem.', example: 'urn:problem:not-found' }),
  title: is.text({
    description: 'The kind of problem in words; the same for every occurrence.',
    example: 'Not found',
  }),
  status: is.integer({ description: 'The HTTP status.', example: 404 }),
  detail: is.text({ description: 'What happened this time, for people.', example: 'There is nothing here.' }),
  instance: is.text({ description: 'URI of this occurrence.', example: 'urn:request:0193…' }).optional,
  code: is.text({ description: 'Stable machine name of the kind of problem.', example: 'not_found' }),
  requestId: is.text({ description: 'The same as the header X-Request-Id; quote it when asking for help.' })
    .optional,
  errors: is.list(() => FieldErrorDto, {
    description: 'What is wrong where, for requests that are not valid.',
  }).optional,
  requiredScopes: is.texts({
    description: 'Of `insufficient_scope`: the scopes that this needs.',
    example: ['posts.write'],
  }).optional,
  currentVersion: is.integer({ description: 'Of a 412: the version that the resource has now.', example: 4 })
    .optional,
  maxBytes: is.integer({
    description: 'Of `file_too_large`: the largest size, in bytes.',
    example: 67_108_864,
  }).optional,
  quotaBytes: is.integer({
    description: 'Of `storage_quota_exceeded`: what the organization may store, in bytes.',
    example: 10_737_418_240,
  }).optional,
  supported: is.texts({
    description: 'Of `media_type_not_supported`: the accepted types.',
    example: ['image/jpeg'],
  }).optional,
  missingParts: is.of<number[]>({
    description: 'Of `upload_not_finished`: numbers of parts that are not stored, at most 100.',
    type: 'array',
    items: { type: 'integer' },
    example: [3, 4],
  }).optional,
  partCount: is.integer({
    description: 'Of `part_does_not_exist`: the number of parts of the file.',
    example: 7,
  }).optional,
  postIds: is.texts({
    description: 'Of `media_in_use`: unpublished posts that use the file.',
    example: ['01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e99'],
  }).optional,
  mediaIds: is.texts({
    description: 'Of `media_not_usable`: files that cannot be used.',
    example: ['01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e77'],
  }).optional,
  'violated-policies': is.texts({
    description: 'Of a 429: names of the limits that were reached, as in `RateLimit-Policy`.',
    example: ['default'],
  }).optional,
}) {}
