import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiBearerAuth, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BrandId, Caller, CurrentCaller, RequiresScopes, BrandNotFound } from '#libs/auth';
import { Clock } from '#libs/clock';
import { BEARER_AUTH, HttpConfig, problemResponses } from '#libs/http';
import { SummarizeWorkspace } from '../content-ops/index.js';
import { WidgetDto } from './widget.dto.js';

const scopes = ['dashboard.read'];
const NEXT_POSTS = 5;

@ApiTags('Widget')
@ApiBearerAuth(BEARER_AUTH)
@Controller('api/widget')
export class WidgetController {
  constructor(
    private readonly queries: QueryBus,
    private readonly clock: Clock,
    private readonly config: HttpConfig,
  ) {}

  @Get()
  @RequiresScopes(...scopes)
  @ApiOperation({
    summary: 'Live workspace',
    description:
      'What the workspace launcher shows of this service: counts, the next posts, and open actions. For all brands of the caller, or for one.\n\nNeeds the scope `dashboard.read`. Shows posts of brands in which the caller has `posts.read`, and published posts of brands with `analytics.read`.',
  })
  @ApiHeader({
    name: 'X-Brand-ID',
    description: 'The brand; by default all brands of the caller.',
    required: false,
    schema: { type: 'string', format: 'uuid' },
  })
  @ApiOkResponse({ description: 'The current summary.', type: WidgetDto })
  @problemResponses(BrandNotFound)
  async getPublishingWidget(
    @CurrentCaller() caller: Caller,
    @BrandId() brandId?: string,
  ): Promise<WidgetDto> {
    const view = { caller, scopes, brandId };
    const summary = await this.queries.execute(new SummarizeWorkspace({ view, next: NEXT_POSTS }));
    return WidgetDto.of(summary, this.clock.now(), this.config.publicUrl ?? '');
  }
}
