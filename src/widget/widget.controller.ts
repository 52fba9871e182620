import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiBearerAuth, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BrandId, Caller, CurrentCaller, RequiresScopes } from '#libs/auth';
import { Clock } from '#libs/clock';
import { BEARER_AUTH, HttpConfig, problemResponses } from '#libs/http';
import { SummarizeWorkspace } from '../content-ops/index.js';
import { WidgetDto } from './dto/widget.dto.js';

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
    operationId: 'getWidget',
    summary: 'Live workspace',
    description:
      'What the workspace launcher shows of this service: a few numbers, what goes out next, and what waits for a person. Of all brands the caller may see, or of the one named.\n\nNeeds the scope `dashboard.read`. It shows posts of the brands in which the caller has `posts.read`, and what was published where it has `analytics.read`.',
  })
  @ApiHeader({
    name: 'X-Brand-ID',
    description: 'The brand this is about; without it all brands the caller may see.',
    required: false,
    schema: { type: 'string', format: 'uuid' },
  })
  @ApiOkResponse({ description: 'What is going on just now.', type: WidgetDto })
  @problemResponses(401, 403, 404)
  async getWidget(@CurrentCaller() caller: Caller, @BrandId() brandId?: string): Promise<WidgetDto> {
    const view = { caller, scopes, brandId };
    const summary = await this.queries.execute(new SummarizeWorkspace(view, NEXT_POSTS));
    return WidgetDto.of(summary, this.clock.now(), this.config.publicUrl ?? '');
  }
}
