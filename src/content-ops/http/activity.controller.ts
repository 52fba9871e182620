import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AcceptsApiKey, BrandId, Caller, CurrentCaller } from '#libs/auth';
import { EventStore } from '#libs/event-store';
import { type Page, Pages, RequestIsNotValid } from '#libs/http';
import { brandChain, organizationChain } from '../domain/audit-entry.js';
import { AuditEventDto, ListAuditEventsDto } from './dto/audit-event.dto.js';
import { DailyRollupDto, GetDailyRollupDto } from './dto/daily-rollup.dto.js';
import { Operation } from './operation.js';
import { FindBrandsInView, organizationsGranting } from '../queries/find-brands-in-view.js';
import { GetDailyRollup } from '../queries/get-daily-rollup.js';
import { type AuditRow, ListAuditEvents } from '../queries/list-audit-events.js';

const scopes = ['analytics.read'];

type EntryKey = readonly [entry: string];

@ApiTags('Content Ops')
@AcceptsApiKey()
@Controller('api/content-ops')
export class ActivityController {
  constructor(
    private readonly queries: QueryBus,
    private readonly pages: Pages,
    private readonly store: EventStore,
  ) {}

  @Get('daily')
  @Operation({
    summary: 'Activity per day',
    description:
      'How much content was created, approved, scheduled, published and failed, per brand and day, counted by when each thing happened. The same log gives the same bytes, whenever asked. Brand by brand and day by day; a page holds whole brands, and `limit` counts those.',
    scopes,
    answers: DailyRollupDto,
    paged: true,
  })
  async getDailyRollups(
    @CurrentCaller() caller: Caller,
    @BrandId() brandId: string | undefined,
    @Query() query: GetDailyRollupDto,
  ): Promise<Page<DailyRollupDto>> {
    const list = { list: 'content-ops.daily', filters: { brandId } };
    const load = async (after: string | null) => {
      const brands = await this.queries.execute(new FindBrandsInView({ caller, scopes, brandId }));
      return brands.filter(({ id }) => id > (after ?? ''));
    };
    const { data, pagination } = await this.pages.byId(list, query, load, (brand) => brand);
    return { data: await this.queries.execute(new GetDailyRollup({ ...query, brands: data })), pagination };
  }

  @Get('events')
  @Operation({
    summary: 'Audit events',
    problems: [400],
    description:
      'Every content operation, in the order recorded. An unknown `kind` is refused (400), and the refusal names the known ones. Made for following along: oldest first, `nextCursor` is always there; once `hasMore` is false, keep it and ask again later. Nothing ever appears before it.',
    scopes,
    answers: AuditEventDto,
    paged: true,
  })
  async listContentEvents(
    @CurrentCaller() caller: Caller,
    @BrandId() brandId: string | undefined,
    @Query() query: ListAuditEventsDto,
  ): Promise<Page<AuditEventDto>> {
    const { order, kind, contentId, actor, from, to } = query;
    requireKinds(kind, this.store.types.kinds);
    const filters = { brandId, contentId, kind, actor, from, to };
    const keyOf = ({ entry }: AuditRow): EntryKey => [entry];
    const start: EntryKey | undefined = order === 'asc' ? ['0'] : undefined;
    const list = { list: `content-ops.events:${order}`, filters, keyOf, start };
    const chains = await this.chainsInView(caller, brandId);
    const filter = { contentId, kinds: kind, actor, from, to };
    const load = (after: EntryKey | null, limit: number) =>
      this.queries.execute(new ListAuditEvents({ chains, filter, order, after: after?.[0], limit }));
    return this.pages.page(list, query, load, (row) => AuditEventDto.of(row));
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

/** An audit without an event must mean that there is none. */
function requireKinds(asked: readonly string[] = [], known: readonly string[]): void {
  const unknown = asked.filter((kind) => !known.includes(kind));
  if (unknown.length === 0) return;
  const detail = `must be of ${known.join(', ')}`;
  throw new RequestIsNotValid([{ parameter: 'kind', code: 'kind_unknown', detail }]);
}
