import { ApiPropertyOptional } from '@nestjs/swagger';
import { AmongFilter, ListQuery, WordsFilter } from '#libs/http';
import { AI_CAPABILITIES, type AiCapability } from '../../../access/attribution.js';
import { type Lifecycle, LIFECYCLES } from '../domain/lifecycle.js';

const several = 'Several values are separated by commas.';

export class ListModelsQuery extends ListQuery {
  @ApiPropertyOptional({ enum: AI_CAPABILITIES, isArray: true, description: several })
  @AmongFilter(AI_CAPABILITIES)
  capability?: AiCapability[];

  @ApiPropertyOptional({ type: [String], example: ['openai'], description: several })
  @WordsFilter((word) => /^[a-z][a-z0-9-]{0,62}$/.test(word), 'must be names of providers')
  provider?: string[];

  @ApiPropertyOptional({
    enum: LIFECYCLES,
    isArray: true,
    description: `${several} Left out: \`active\` and \`deprecated\`, which are those that can be used.`,
  })
  @AmongFilter(LIFECYCLES)
  lifecycle?: Lifecycle[];
}
