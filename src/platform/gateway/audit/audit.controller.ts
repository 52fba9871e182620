import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Database } from '#libs/database';
import { ListQuery, type Page, Pages, ReturnsPage } from '#libs/http';
import { OrganizationCallers, PlatformAdmins } from '../access/callers.js';
import { CurrentOrganization } from '../access/current-access.js';
import { AuditEntryDto } from './audit-entry.dto.js';

/** $1 organization, or null for the platform. */
const LIST = `
  SELECT id, at, action, organization_id AS "organizationId", json_build_object('type', actor_type, 'id', actor_id) AS actor,
         json_build_object('type', target_type, 'id', target_id) AS target, request_id AS "requestId", details
    FROM gateway.audit
   WHERE organization_id IS NOT DISTINCT FROM $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`;

@ApiTags('Audit')
@Controller('api/audit')
export class AuditController {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
  ) {}

  @ApiOperation({
    summary: 'Audit of an organization',
    description:
      'Who changed credentials, limits, preferences, senders, domains, prices and subscriptions of the organization. Newest first; append-only.',
  })
  @OrganizationCallers('org.admin')
  @ReturnsPage(AuditEntryDto)
  @Get()
  listAuditEntries(
    @CurrentOrganization() organizationId: string,
    @Query() query: ListQuery,
  ): Promise<Page<AuditEntryDto>> {
    return this.entries(organizationId, query);
  }

  @ApiOperation({
    summary: 'Audit of the platform',
    description: 'Changes of platform defaults, for platform administrators. Newest first; append-only.',
  })
  @PlatformAdmins()
  @ReturnsPage(AuditEntryDto)
  @Get('platform')
  listPlatformAuditEntries(@Query() query: ListQuery): Promise<Page<AuditEntryDto>> {
    return this.entries(null, query);
  }

  private entries(organizationId: string | null, query: ListQuery): Promise<Page<AuditEntryDto>> {
    const rows = (after: string | null, count: number) =>
      this.database.query<AuditEntryDto>(LIST, [organizationId, after, count]);
    return this.pages.byId({ list: `audit:${organizationId}` }, query, rows);
  }
}
