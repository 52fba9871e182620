import { Controller, Get, Query, Req, StreamableFile } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { AcceptsApiKey, type Caller, CurrentCaller, organizationFor, organizationsFor } from '#libs/auth';
import {
  API_KEY_AUTH,
  BEARER_AUTH,
  CONTENT_DISPOSITION,
  Pages,
  problemResponses,
  ReturnsPage,
} from '#libs/http';
import { organizationNamedIn } from '../../../access/organization-of-request.js';
import { PLATFORM_ADMINS } from '../../../access/platform-administrators.js';
import { LimitsStore } from '../limits/limits.store.js';
import {
  MOST_ALARMS,
  SoftLimitAlarmDto,
  UsageGroupDto,
  UsagePageDto,
  UsageSumsDto,
} from './usage-report.dto.js';
import { organizationHeader } from '../../../access/documented-headers.js';
import { assertFewGroups, periodOf, type UsageQuery } from './usage-query.js';
import { UsageExportQuery, UsageReportQuery } from './usage-report.query.js';
import { UsageExport } from './usage-export.js';
import { type UsageGroup, UsageReport } from './usage-report.js';

const SCOPE = 'usage.read';

const CSV = {
  description: 'CSV: UTF-8 with a byte order mark, CRLF.',
  schema: { type: 'string' as const },
  headers: { 'Content-Disposition': CONTENT_DISPOSITION },
};

@ApiTags('Usage')
@ApiBearerAuth(BEARER_AUTH)
@ApiSecurity(API_KEY_AUTH)
@AcceptsApiKey()
@organizationHeader(false)
@problemResponses(400, 403, 404)
@Controller('api/usage')
export class UsageController {
  constructor(
    private readonly report: UsageReport,
    private readonly exports: UsageExport,
    private readonly limits: LimitsStore,
    private readonly pages: Pages,
  ) {}

  @ApiOperation({
    operationId: 'getUsage',
    summary: 'Usage and cost',
    description:
      'Sums of attempts at AI providers, by the day on which they began (UTC). Of the organizations in which the caller has the scope `usage.read`; platform administrators see all. Attempts count when they have ended. Costs that are not known are apart from those that are. People of all organizations by day: at most 7 days (400 `period_too_long`); one organization and the export have no such bound.',
  })
  @ReturnsPage(UsageGroupDto, 'One page of groups, in the order of their keys.', UsagePageDto)
  @Get()
  async getUsage(
    @CurrentCaller() caller: Caller,
    @Query() asked: UsageReportQuery,
    @Req() request: Request,
  ): Promise<UsagePageDto> {
    const named = organizationNamedIn(request);
    const moment = await this.report.moment();
    const { limit, cursor, ...filters } = asked;
    const query = queryOf(filters, caller, moment.today, named);
    assertFewGroups(query);
    const list = {
      list: 'usage',
      filters: { ...filters, ...(named && { named }) },
      keyOf: ({ keys }: UsageGroup) => keys,
    };
    const after = this.pages.after(list, { limit, cursor });
    const [{ groups, totals }, alarms] = await Promise.all([
      this.report.page(query, moment, after, limit + 1),
      this.limits.alarms(query.filters.organizationIds, query, MOST_ALARMS),
    ]);
    const { data, pagination } = this.pages.shown(list, asked, groups);
    return {
      from: query.from,
      to: query.to,
      totals: UsageSumsDto.of(totals),
      alarms: alarms.map((alarm) => SoftLimitAlarmDto.of(alarm)),
      data: data.map((group) => UsageGroupDto.ofGroup(query.groupBy, group)),
      pagination,
    };
  }

  @ApiOperation({
    operationId: 'exportUsage',
    summary: 'Usage and cost as CSV',
    description:
      'All groups of the report, as of one moment. A process serves few exports at a time (429 `too_many_exports`), and ends one whose reader takes nothing for 30 seconds. Texts that a spreadsheet would compute begin with an apostrophe.',
  })
  @ApiProduces('text/csv')
  @ApiOkResponse(CSV)
  @Get('export')
  async exportUsage(
    @CurrentCaller() caller: Caller,
    @Query() asked: UsageExportQuery,
    @Req() request: Request,
  ): Promise<StreamableFile> {
    const named = organizationNamedIn(request);
    const moment = await this.report.moment();
    const query = queryOf(asked, caller, moment.today, named);
    return new StreamableFile(this.exports.csv(query, moment, caller.id), {
      type: 'text/csv; charset=utf-8',
      disposition: `attachment; filename="usage-${query.from}-${query.to}.csv"`,
    });
  }
}

/** @param named the organization of X-Organization-Id: only its usage, and one of others does not exist for the caller */
function queryOf(
  asked: UsageExportQuery,
  caller: Caller,
  today: string,
  named: string | undefined,
): UsageQuery {
  const { groupBy = [], from, to, organizationId, ...others } = asked;
  const seesAll = caller.isPlatformAdministrator(PLATFORM_ADMINS);
  if (named !== undefined && !seesAll) organizationFor(caller, SCOPE, named);
  const filter = organizationId?.toLowerCase();
  const only = filter ?? named;
  const isNone = named !== undefined && only !== named;
  const all = only === undefined ? null : [only];
  const visible = seesAll ? all : organizationsFor(caller, SCOPE, only);
  const organizationIds = isNone ? [] : visible;
  return { groupBy, ...periodOf({ from, to }, today), filters: { organizationIds, ...others } };
}
