import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '#libs/auth';
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
import { mustAdminister, mustBePerson } from '../access/organization-access.js';
import { PathIds } from '../dto/path-ids.js';
import { AUDIT_EVENT, AuditEventDto } from './audit-event.dto.js';
import { UserNotFound, CallerIsNotPerson } from '../identity.errors.js';

const OF_PERSON = `SELECT ${AUDIT_EVENT} FROM identity.audit_event e
  WHERE e.subject_id = $1 AND ($2::uuid IS NULL OR e.id < $2) ORDER BY e.id DESC LIMIT $3`;

/** Only events of the membership: earlier and later events do not concern the organization. */
const OF_MEMBERS = `SELECT e.* FROM identity.membership m, LATERAL (
    SELECT ${AUDIT_EVENT} FROM identity.audit_event e
     WHERE e.subject_id = m.user_id AND e.at >= m.created_at AND ($2::uuid IS NULL OR e.id < $2)
     ORDER BY e.id DESC LIMIT $3) e
  WHERE m.organization_id = $1 ORDER BY e.id DESC LIMIT $3`;

const EVENTS =
  'Sign-ins, failed ones too, password changes, ended sessions and reused refresh tokens, newest first.';

@ApiTags('Audit')
@ApiBearerAuth(BEARER_AUTH)
@problemResponses(CallerIsNotPerson)
@Controller('api')
export class AccountEventsController {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
  ) {}

  @ApiOperation({ summary: 'List the events of my account', description: EVENTS })
  @ReturnsPage(AuditEventDto)
  @Get('auth/me/account-events')
  listMyAccountEvents(
    @CurrentCaller() caller: Caller,
    @Query() query: ListQuery,
  ): Promise<Page<AuditEventDto>> {
    mustBePerson(caller);
    return this.page(OF_PERSON, caller.id, query);
  }

  @ApiOperation({
    summary: "List the events of the members' accounts",
    description: `${EVENTS} For owners and admins: events of members since they joined.`,
  })
  @ReturnsPage(AuditEventDto)
  @problemResponses(UserNotFound)
  @PathIds('organizationId')
  @Get('organizations/:organizationId/account-events')
  listAccountEvents(
    @CurrentCaller() caller: Caller,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Query() query: ListQuery,
  ): Promise<Page<AuditEventDto>> {
    mustAdminister(caller, organizationId);
    return this.page(OF_MEMBERS, organizationId, query);
  }

  private page(sql: string, ownerId: string, query: ListQuery): Promise<Page<AuditEventDto>> {
    const rows = (after: string | null, count: number) =>
      this.database.query<AuditEventDto>(sql, [ownerId, after, count]);
    return this.pages.byId({ list: `account-events:${ownerId}` }, query, rows);
  }
}
