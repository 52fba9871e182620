import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AcceptsApiKey, BrandId, Caller, CurrentCaller } from '#libs/auth';
import { Clock } from '#libs/clock';
import { type Page, Pages } from '#libs/http';
import { ListQueue, type QueueKey } from '../../posts/index.js';
import { ListQueueDto, QueueEntryDto } from './dto/list-queue.dto.js';
import { QueueItemDto } from './dto/queue-item.dto.js';
import { Operation } from './operation.js';
import { FindBrandsInView, organizationsGranting } from '../queries/find-brands-in-view.js';

const reads = ['posts.read'];
const readsCalendar = ['posts.read', 'calendar.read'];

@ApiTags('Content Ops')
@AcceptsApiKey()
@Controller('api/content-ops')
export class QueueController {
  constructor(
    private readonly queries: QueryBus,
    private readonly pages: Pages,
    private readonly clock: Clock,
  ) {}

  @Get('queue')
  @Operation({
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
    @Query() query: ListQueueDto,
  ): Promise<Page<QueueEntryDto>> {
    const { state, platform, from, to } = query;
    const scopes = from || to ? readsCalendar : reads;
    if (brandId) await this.queries.execute(new FindBrandsInView({ caller, scopes, brandId }));
    else organizationsGranting(caller, scopes);
    const filters = { brandId, states: state, platforms: platform, from, to };
    const keyOf = ({ key }: { key: QueueKey }) => key;
    const list = { list: 'content-ops.queue', filters: { brandId, state, platform, from, to }, keyOf };
    const load = (after: QueueKey | null, limit: number) =>
      this.queries.execute(new ListQueue({ caller, scopes, filters, after, limit }));
    return this.pages.page(list, query, load, ({ item, state: queueState }) => ({
      ...QueueItemDto.of(item, this.clock.now()),
      queueState,
    }));
  }
}
