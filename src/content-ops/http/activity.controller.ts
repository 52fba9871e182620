import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AcceptsApiKey, BrandId, Caller, CurrentCaller } from '#libs/auth';
import type { Page } from '#libs/http';
import { CursorCodec, pageOf } from '#libs/http';
import { brandChain, organizationChain } from '../domain/audit-entry.js';
import { AuditEventDto } from './dto/audit-event.dto.js';
import { DailyRollupDto } from './dto/daily-rollup.dto.js';
import { GetDailyRollupDto } from './dto/get-daily-rollup.dto.js';
import { ListAuditEventsDto } from './dto/list-audit-events.dto.js';
import { Operation } from './operation.js';
import { FindBrandsInView, organizationsGranting } from '../queries/find-brands-in-view.js';
import { GetDailyRollup } from '../queries/get-daily-rollup.js';
import type { AuditRow } from '../queries/list-audit-events.js';
import { ListAuditEvents } from '../queries/list-audit-events.js';

const scopes = ['analytics.read'];

/** Activity: daily counts and single events. */
@ApiTags('Content Ops')
@AcceptsApiKey()
@Controller('api/content-ops')
export class ActivityController {
  constructor(
    private readonly queries: QueryBus,
    private readonly cursors: CursorCodec,
  ) {}

  @Get('daily')
  @Operation({
    id: 'getDailyRollups',
    summary: 'Activity per day',
    description:
      'How much content was created, approved, scheduled, published and failed, per brand and day, counted by when each thing happened. The same log gives the same bytes, whenever asked. Brand by brand and day by day; a page holds whole brands, and `limit` counts those.',
    scopes,
    answers: DailyRollupDto,
    paged: true,
  })
  async daily(
    @CurrentCaller() caller: Caller,
    @BrandId() brandId: string | undefined,
    @Query() query: GetDailyRollupDto,
  ): Promise<Page<DailyRollupDto>> {
    const list = { list: 'content-ops.daily', filters: { brandId } };
    const after = this.cursors.decode(query.cursor, list)?.[0]?.toString() ?? '';
    const brands = await this.queries.execute(new FindBrandsInView({ caller, scopes, brandId }));
    const { data, pagination } = pageOf(
      brands.filter(({ id }) => id > after),
      { limit: query.limit, cursor: (last) => this.cursors.encode([last.id], list) },
    );
    const days = await this.queries.execute(new GetDailyRollup({ ...query, brands: data }));
    return { data: days.map((day) => DailyRollupDto.of(day)), pagination };
  }

  @Get('events')
  @Operation({
    id: 'listAuditEvents',
    summary: 'Audit events',
    description:
      'Every content operation, in the order recorded. Made for following along: oldest first, `nextCursor` is always there; once `hasMore` is false, keep it and ask again later. Nothing ever appears before it.',
    scopes,
    answers: AuditEventDto,
    paged: true,
  })
  async events(
    @CurrentCaller() caller: Caller,
    @BrandId() brandId: string | undefined,
    @Query() { order, limit, cursor, kind, contentId, actor, from, to }: ListAuditEventsDto,
  ): Promise<Page<AuditEventDto>> {
    const filters = { brandId, contentId, kind, actor, from, to };
    const list = { list: `content-ops.events:${order}`, filters };
    const after = this.cursors.decode(cursor, list)?.[0]?.toString();
    const chains = await this.chainsInView(caller, brandId);
    const filter = { contentId, kinds: kind, actor, from, to };
    const rows = await this.queries.execute(
      new ListAuditEvents({ chains, filter, order, after, limit: limit + 1 }),
    );
    const place = (row?: AuditRow) => this.cursors.encode([row?.entry ?? after ?? '0'], list);
    const { data, pagination } = pageOf(rows, { limit, cursor: place });
    const nextCursor = order === 'asc' ? place(data.at(-1)) : pagination.nextCursor;
    return { data: data.map((row) => AuditEventDto.of(row)), pagination: { ...pagination, nextCursor } };
  }

  /** The chains of the brands, and of the organizations unless the caller is bound to brands. */
  private async chainsInView(caller: Caller, brandId?: string): Promise<string[]> {
    const brands = await this.queries.execute(new FindBrandsInView({ caller, scopes, brandId }));
    const chains = brands.map(({ id }) => brandChain(id));
    if (brandId) return chains;
    const whole = organizationsGranting(caller, scopes).filter(({ brandIds }) => brandIds === null);
    return [...chains, ...whole.map(({ id }) => organizationChain(id))];
  }
}
