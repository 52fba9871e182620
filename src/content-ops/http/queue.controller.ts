import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AcceptsApiKey, BrandId, Caller, CurrentCaller } from '#libs/auth';
import { Clock } from '#libs/clock';
import { CursorCodec, mapPage, pageOf } from '#libs/http';
import type { Page } from '#libs/http';
import type { QueueKey } from '../../posts/index.js';
import { ListQueue } from '../../posts/index.js';
import { ListQueueDto, QueueEntryDto } from './dto/list-queue.dto.js';
import { QueueItemDto } from './dto/queue-item.dto.js';
import { Operation } from './operation.js';
import { FindBrandsInView, organizationsGranting } from '../queries/find-brands-in-view.js';

const reads = ['posts.read'];
const readsCalendar = ['posts.read', 'calendar.read'];

/** Items that need or await an action. */
@ApiTags('Content Ops')
@AcceptsApiKey()
@Controller('api/content-ops')
export class QueueController {
  constructor(
    private readonly queries: QueryBus,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
  ) {}

  @Get('queue')
  @Operation({
    id: 'listQueue',
    summary: 'The queue',
    description:
      'Content that needs or allows an action: unconfirmed deliveries, failures, pending suggestions, approved suggestions that need a time, and scheduled posts. Most urgent first.',
    scopes: reads,
    alsoNeeds: '`from` and `to` make it a calendar view, which needs `calendar.read` as well',
    answers: QueueEntryDto,
    paged: true,
  })
  async listQueue(
    @CurrentCaller() caller: Caller,
    @BrandId() brandId: string | undefined,
    @Query() { state, platform, from, to, limit, cursor }: ListQueueDto,
  ): Promise<Page<QueueEntryDto>> {
    const scopes = from || to ? readsCalendar : reads;
    if (brandId) await this.queries.execute(new FindBrandsInView({ caller, scopes, brandId }));
    else organizationsGranting(caller, scopes);
    const list = { list: 'content-ops.queue', filters: { brandId, state, platform, from, to } };
    const entries = await this.queries.execute(
      new ListQueue({
        caller,
        scopes,
        limit: limit + 1,
        filters: { brandId, states: state, platforms: platform, from, to },
        after: (this.cursors.decode(cursor, list) as QueueKey | undefined) ?? null,
      }),
    );
    const page = pageOf(entries, { limit, cursor: ({ key }) => this.cursors.encode(key, list) });
    const now = this.clock.now();
    return mapPage(page, ({ item, state: queueState }) => ({ ...QueueItemDto.of(item, now), queueState }));
  }
}
