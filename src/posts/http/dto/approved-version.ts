import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { ApprovedVersion } from '../../domain/post.events.js';

export const APPROVED_VERSION: ApiPropertyOptions = {
  description: 'The version that the approval covers; null where an edit by a person renewed it.',
  type: 'integer',
  nullable: true,
  example: null,
};

export const APPROVAL_BASIS: ApiPropertyOptions = {
  description:
    '`if_match`: the caller named that version. `stored`: the request had no If-Match, so the approval covers what was stored when it was decided.',
  type: 'string',
  nullable: true,
  enum: ['if_match', 'stored', null],
  example: null,
};

/** The two fields as responses carry them: null where a person's edit renewed the approval. */
export const approvedVersionOf = (bound: ApprovedVersion | undefined) => ({
  version: bound?.version ?? null,
  basis: bound?.basis ?? null,
});
