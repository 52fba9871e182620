import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { Clock } from '#libs/clock';
import type { PostDetails } from '../../posts/index.js';
import { SummarizeQueue } from '../../posts/index.js';
import { dateIn, isTimeZone } from '../calendar-days.js';
import type { View } from './find-brands-in-view.js';
import { FindBrandsInView } from './find-brands-in-view.js';
import { GetDailyRollup } from './get-daily-rollup.js';

export interface WorkspaceSummary {
  readonly brands: number;
  readonly pendingApprovals: number;
  readonly needsTime: number;
  readonly failed: number;
  readonly scheduledNext24Hours: number;
  /** Since the day of each brand began, in its own zone. */
  readonly publishedToday: number;
  readonly next: readonly PostDetails[];
}

/** What is going on in the brands in view. @throws as FindBrandsInView */
export class SummarizeWorkspace extends Query<WorkspaceSummary> {
  constructor(
    readonly view: View,
    /** How many of the next posts to give. */
    readonly next: number,
  ) {
    super();
  }
}

@QueryHandler(SummarizeWorkspace)
export class SummarizeWorkspaceHandler implements IQueryHandler<SummarizeWorkspace> {
  constructor(
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async execute({ view, next }: SummarizeWorkspace): Promise<WorkspaceSummary> {
    const brands = await this.queries.execute(new FindBrandsInView(view));
    const brandIds = brands.map(({ id }) => id);
    const [queue, publishedToday] = await Promise.all([
      this.queries.execute(new SummarizeQueue({ brandIds, next })),
      this.publishedToday(brands),
    ]);
    const { pending: pendingApprovals, needsTime, failed, scheduledSoon: scheduledNext24Hours } = queue;
    const counts = { pendingApprovals, needsTime, failed, scheduledNext24Hours, publishedToday };
    return { brands: brands.length, ...counts, next: queue.next };
  }

  /** It is not the same day everywhere, so the brands are asked for date by date: three dates at most. */
  private async publishedToday(brands: readonly { id: string; timezone: string }[]): Promise<number> {
    const now = this.clock.now();
    const byDate = Map.groupBy(brands, ({ timezone }) =>
      dateIn(isTimeZone(timezone) ? timezone : 'UTC', now),
    );
    const days = await Promise.all(
      [...byDate].map(([date, some]) =>
        this.queries.execute(new GetDailyRollup({ brands: some, from: date, to: date })),
      ),
    );
    return days.flat().reduce((sum, { published }) => sum + published, 0);
  }
}
