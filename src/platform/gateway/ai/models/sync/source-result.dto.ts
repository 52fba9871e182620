import { is, shape } from '#libs/http';

export class SourceResultDto extends shape({
  source: is.text({ example: 'openai', description: 'A provider, or `catalog` for the open catalog.' }),
  outcome: is.text<'done' | 'failed' | 'skipped'>({
    enum: ['done', 'failed', 'skipped'],
    description: '`skipped`: it has no address or no credential of the platform.',
  }),
  detail: is.text({ example: 'The response has status 503.' }).orNull,
  models: is.integer({ example: 42, description: 'Models that it has and that a route serves.' }),
  rejected: is.integer({ example: 0, description: 'Malformed items that were left out.' }),
}) {}

export class ModelSyncDto extends shape({
  sources: is.list(() => SourceResultDto),
}) {}
