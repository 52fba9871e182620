import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { FilterOf, IdFilter, ListQuery, WordsFilter } from '#libs/http';
import { AI_CAPABILITIES } from '../../../access/attribution.js';
import { dayOf, type Grouping, GROUPINGS } from './usage-query.js';

const MODEL = /^[^/]{1,100}\/.{1,300}$/;

const Day = () => FilterOf(dayOf, 'not_a_date', 'a day, such as 2026-11-01');

/** What both forms of the report can be asked for. */
export class UsageReportQuery extends OmitType(ListQuery, ['includeTotal']) {
  @ApiPropertyOptional({
    description:
      'What to tell apart, in this order; none: one row. Repeat the parameter or separate by commas.',
    enum: GROUPINGS,
    isArray: true,
    example: ['day', 'model'],
  })
  @WordsFilter(
    (word) => (GROUPINGS as readonly string[]).includes(word),
    `must be one or more of ${GROUPINGS.join(', ')}`,
    GROUPINGS,
  )
  groupBy?: Grouping[];

  @ApiPropertyOptional({ format: 'date', description: 'First day, UTC. Default: the first of the month.' })
  @Day()
  from?: string;

  @ApiPropertyOptional({ format: 'date', description: 'Last day, UTC. Default: today.' })
  @Day()
  to?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Only calls for this organization.' })
  @IdFilter()
  organizationId?: string;

  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Only calls of this application: its registered identifier.',
  })
  @IdFilter()
  applicationId?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Only calls on behalf of this person.' })
  @IdFilter()
  userId?: string;

  @ApiPropertyOptional({ enum: AI_CAPABILITIES })
  @FilterOf((word) => AI_CAPABILITIES.find((one) => one === word), 'not_allowed', AI_CAPABILITIES.join(', '))
  capability?: string;

  @ApiPropertyOptional({ example: 'openai' })
  @FilterOf((name) => name.slice(0, 100), 'not_allowed', 'the name of a provider')
  provider?: string;

  @ApiPropertyOptional({ example: 'openai/gpt-image-2', description: 'As `provider/model`.' })
  @FilterOf((name) => (MODEL.test(name) ? name : undefined), 'not_allowed', 'provider/model')
  model?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Only calls with this credential.' })
  @IdFilter()
  credentialId?: string;
}

/** An export has no pages. */
export class UsageExportQuery extends OmitType(UsageReportQuery, ['limit', 'cursor']) {}
