import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** One thing that is wrong with a request. */
export class FieldErrorDto {
  @ApiPropertyOptional({
    description: 'JSON Pointer into the body, as a URI fragment.',
    example: '#/scheduledAt',
  })
  pointer?: string;

  @ApiPropertyOptional({ description: 'Name of the query parameter.' })
  parameter?: string;

  @ApiPropertyOptional({ description: 'Name of the header.' })
  header?: string;

  @ApiProperty({ description: 'Stable machine name.', example: 'in_past' })
  code!: string;

  @ApiProperty({ description: 'For people.', example: 'must be in the future' })
  detail!: string;
}

/** RFC 9457, with a stable `code`, the request's id and the fields that are wrong. */
export class ProblemDto {
  @ApiProperty({ description: 'URI that names the kind of problem.', example: 'urn:problem:not-found' })
  type!: string;

  @ApiProperty({
    description: 'The kind of problem in words; the same for every occurrence.',
    example: 'Not found',
  })
  title!: string;

  @ApiProperty({ description: 'The HTTP status.', example: 404, type: 'integer' })
  status!: number;

  @ApiProperty({ description: 'What happened this time, for people.', example: 'There is nothing here.' })
  detail!: string;

  @ApiPropertyOptional({ description: 'URI of this occurrence.', example: 'urn:request:0193…' })
  instance?: string;

  @ApiProperty({ description: 'Stable machine name of the kind of problem.', example: 'not_found' })
  code!: string;

  @ApiPropertyOptional({ description: 'The same as the header X-Request-Id; quote it when asking for help.' })
  requestId?: string;

  @ApiPropertyOptional({
    description: 'What is wrong where, for requests that are not valid.',
    type: () => [FieldErrorDto],
  })
  errors?: FieldErrorDto[];

  @ApiPropertyOptional({
    description: 'Of `insufficient_scope`: the scopes that this needs.',
    type: [String],
    example: ['posts.write'],
  })
  requiredScopes?: string[];

  @ApiPropertyOptional({
    description: 'Of a 412: the version that the resource has now.',
    type: 'integer',
    example: 4,
  })
  currentVersion?: number;

  @ApiPropertyOptional({
    description: 'Of `file_too_large`: the largest size, in bytes.',
    type: 'integer',
    example: 67_108_864,
  })
  maxBytes?: number;

  @ApiPropertyOptional({
    description: 'Of `storage_quota_exceeded`: what the organization may store, in bytes.',
    type: 'integer',
    example: 10_737_418_240,
  })
  quotaBytes?: number;

  @ApiPropertyOptional({
    description: 'Of `media_type_not_supported`: the accepted types.',
    type: [String],
    example: ['image/jpeg'],
  })
  supported?: string[];

  @ApiPropertyOptional({
    description: 'Of `upload_not_finished`: numbers of parts that are not stored, at most 100.',
    type: 'array',
    items: { type: 'integer' },
    example: [3, 4],
  })
  missingParts?: number[];

  @ApiPropertyOptional({
    description: 'Of `part_does_not_exist`: the number of parts of the file.',
    type: 'integer',
    example: 7,
  })
  partCount?: number;

  @ApiPropertyOptional({
    description: 'Of `media_in_use`: unpublished posts that use the file.',
    type: [String],
    example: ['01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e99'],
  })
  postIds?: string[];

  @ApiPropertyOptional({
    description: 'Of `media_not_usable`: files that cannot be used.',
    type: [String],
    example: ['01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e77'],
  })
  mediaIds?: string[];

  @ApiPropertyOptional({
    description: 'Of a 429: names of the limits that were reached, as in `RateLimit-Policy`.',
    type: [String],
    example: ['default'],
  })
  'violated-policies'?: string[];
}
