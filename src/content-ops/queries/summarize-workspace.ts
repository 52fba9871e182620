import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { Scope } from '#libs/auth';
import { Clock } from '#libs/clock';
import { RequestQuery } from '#libs/messages';
import { type PostDetails, SummarizeQueue } from '../../posts/index.js';
import { dateIn, isTimeZone } from '../domain/calendar-days.js';
import { FindBrandsInView, type View } from './find-brands-in-view.js';
import { GetDailyRollup } from './get-daily-rollup.js';

export interface WorkspaceSummary {
  readonly brands: number;
  /** Null if the caller may not read the posts of any brand. */
  readonly pendingApprovals: number | null;
  readonly needsTime: number | null;
  readonly failed: number | null;
  readonly scheduledNext24Hours: number | null;
  /** Since the start of the day in each brand's zone; null if the caller may not read the activity of any brand. */
  readonly publishedToday: number | null;
  readonly next: readonly PostDetails[];
}

export interface SummarizeWorkspaceRequest {
  readonly view: View;
  readonly next: number;
}

/**
 * The state of the brands in view, as far as the caller's scopes allow: posts with posts.read, publications with
 * analytics.read. @throws as FindBrandsInView
 */
export class SummarizeWorkspace extends RequestQuery<SummarizeWorkspaceRequest, WorkspaceSummary> {}

const NOT_READABLE = {
  pendingApprovals: null,
  needsTime: null,
  failed: null,
  scheduledNext24Hours: null,
  next: [],
};

@QueryHandler(SummarizeWorkspace)
export class SummarizeWorkspaceHandler implements IQueryHandler<SummarizeWorkspace> {
  constructor(
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { view, next } }: SummarizeWorkspace): Promise<WorkspaceSummary> {
    const brands = await this.queries.execute(new FindBrandsInView(view));
    const readable = (scope: Scope) =>
      brands.filter(
        ({ id: brandId, organizationId }) => view.caller.may(scope, { organizationId, brandId }) === 'yes',
      );
    const [withPosts, withActivity] = [readable('posts.read'), readable('analytics.read')];
    const [queue, publishedToday] = await Promise.all([
      this.queue(
        withPosts.map(({ id }) => id),
        next,
      ),
      brands.length > 0 && withActivity.length === 0 ? null : this.publishedToday(withActivity),
    ]);
    const isHidden = brands.length > 0 && withPosts.length === 0;
    return { brands: brands.length, ...(isHidden ? NOT_READABLE : queue), publishedToday };
  }

  private async queue(brandIds: readonly string[], next: number) {
    const queue = await this.queries.execute(new SummarizeQueue({ brandIds, next }));
    const { pending: pendingApprovals, needsTime, failed, scheduledSoon: scheduledNext24Hours } = queue;
    return { pendingApprovals, needsTime, failed, scheduledNext24Hours, next: queue.next };
  }

  /** Reads the brands grouped by local date, of which there are at most three. */
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
