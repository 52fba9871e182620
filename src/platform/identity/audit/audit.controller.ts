import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, OrganizationNotFound } from '#libs/auth';
import { Database } from '#libs/database';
import {
  BEARER_AUTH,
  ListQuery,
  type Page,
  Pages,
  ParseIdPipe,
  problemResponses,
  ReturnsPage,
} from '#libs/http';
import { PathIds } from '../dto/path-ids.js';
import { mustAdminister } from '../access/organization-access.js';
import { AUDIT_EVENT, AuditEventDto } from './audit-event.dto.js';
import { RoleIsInsufficient } from '../identity.errors.js';

const LIST = `
  SELECT ${AUDIT_EVENT}
    FROM identity.audit_event
   WHERE organization_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`;

@ApiTags('Audit')
@ApiBearerAuth(BEARER_AUTH)
@problemResponses(OrganizationNotFound, RoleIsInsufficient)
@PathIds('organizationId')
@Controller('api/organizations/:organizationId/audit-events')
export class AuditController {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
  ) {}

  @ApiOperation({
    summary: "An organization's audit events",
    description: 'Newest first, for owners and admins. The audit is append-only.',
  })
  @ReturnsPage(AuditEventDto)
  @Get()
  listOrganizationAuditEvents(
    @CurrentCaller() caller: Caller,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Query() query: ListQuery,
  ): Promise<Page<AuditEventDto>> {
    mustAdminister(caller, organizationId);
    const rows = (after: string | null, count: number) =>
      this.database.query<AuditEventDto>(LIST, [organizationId, after, count]);
    return this.pages.byId({ list: `audit:${organizationId}` }, query, rows);
  }
}
