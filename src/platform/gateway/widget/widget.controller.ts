import { Controller, Get, Req } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { type Caller, CurrentCaller, organizationsFor, RequiresScopes } from '#libs/auth';
import { Clock } from '#libs/clock';
import { BEARER_AUTH, HttpConfig, problemResponses } from '#libs/http';
import { organizationHeader } from '../access/documented-headers.js';
import { organizationNamedIn } from '../access/organization-of-request.js';
import { LimitsStore } from '../ai/usage/limits/limits.store.js';
import { UsageReport } from '../ai/usage/report/usage-report.js';
import { WidgetDto, widgetOf } from './widget.dto.js';
import { FailingProviders } from './failing-providers.js';

const SCOPE = 'usage.read';

@ApiTags('Widget')
@ApiBearerAuth(BEARER_AUTH)
@Controller('api/widget')
export class WidgetController {
  constructor(
    private readonly report: UsageReport,
    private readonly limits: LimitsStore,
    private readonly failing: FailingProviders,
    private readonly clock: Clock,
    private readonly config: HttpConfig,
  ) {}

  @Get()
  @RequiresScopes(SCOPE)
  @ApiOperation({
    operationId: 'getGatewayWidget',
    summary: 'Live workspace',
    description:
      'What the workspace launcher shows of this service: spend of today and this month against limits, calls, and failing providers. Of all organizations in which the caller has the scope `usage.read`, or of one.',
  })
  @organizationHeader(false)
  @ApiOkResponse({ description: 'The current summary.', type: WidgetDto })
  @problemResponses(400)
  async getGatewayWidget(@CurrentCaller() caller: Caller, @Req() request: Request): Promise<WidgetDto> {
    const organizationIds = organizationsFor(caller, SCOPE, organizationNamedIn(request));
    const moment = await this.report.moment();
    const { today: day } = moment;
    const query = { from: `${day.slice(0, 7)}-01`, to: day, filters: { organizationIds } };
    const [month, today, limits, failing] = await Promise.all([
      this.report.page({ ...query, groupBy: [] }, moment, null, 1),
      this.report.page({ ...query, from: day, groupBy: [] }, moment, null, 1),
      this.limits.listOfAll(organizationIds),
      this.failing.of(organizationIds),
    ]);
    const workspace = { month: month.totals, today: today.totals, limits, failing };
    return widgetOf(workspace, this.clock.now(), this.config.publicUrl ?? '');
  }
}
