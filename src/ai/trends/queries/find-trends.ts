import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { within } from '#libs/concurrency';
import { RequestQuery } from '#libs/messages';
import { TrendBrands } from '../access/brand-access.js';
import { topicsIn } from '../domain/text.js';
import { newestFirst, type Trend } from '../domain/trend.js';
import {
  TrendLimitIsReached,
  TrendsAreUnavailable,
  TrendSourcesAreLimited,
} from '../domain/trends.errors.js';
import { FeedsStore } from '../feeds.store.js';
import { type CallOutcome, LIMIT_REACHED, SourceCalls } from '../access/source-calls.js';
import type { SourceId } from '../sources/trend-source.js';
import { TrendsConfig } from '../trends.config.js';
import { type SourceState, TrendsStore } from '../trends.store.js';

export interface TrendsToFind {
  readonly brandId: string;
  /** Empty: of the brand as a whole. */
  readonly topics: readonly string[];
  /** Asks all sources, whatever the cache has. */
  readonly refresh: boolean;
  readonly caller: Caller;
}

export interface CurrentTrend extends Trend {
  /** The topics of the request that it is about. */
  readonly topics: readonly string[];
  /** Its source failed since, or has a newer result that is not here yet. */
  readonly isStale: boolean;
}

/** `pending`: the first result of the source is not here yet. */
export type Freshness = 'fresh' | 'stale' | 'failed' | 'pending';

export interface SourceReport {
  readonly source: SourceId;
  readonly state: SourceState;
  readonly freshness: Freshness;
}

export interface FoundTrends {
  readonly trends: readonly CurrentTrend[];
  readonly sources: readonly SourceReport[];
}

/**
 * The trends of a brand, from the cache where it is young enough.
 * @throws BrandNotFound, ScopeIsMissing; TrendLimitIsReached, TrendSourcesAreLimited and TrendsAreUnavailable if no source has any
 * result, not even an older one
 */
export class FindTrends extends RequestQuery<TrendsToFind, FoundTrends> {}

@QueryHandler(FindTrends)
export class FindTrendsHandler implements IQueryHandler<FindTrends> {
  constructor(
    private readonly brands: TrendBrands,
    private readonly feeds: FeedsStore,
    private readonly store: TrendsStore,
    private readonly calls: SourceCalls,
    private readonly config: TrendsConfig,
  ) {}

  async execute({ request }: FindTrends): Promise<FoundTrends> {
    const { brandId, caller, topics, refresh } = request;
    const { organizationId, name: brandName } = await this.brands.authorize(
      brandId,
      caller,
      'analytics.read',
    );
    const { urls } = await this.feeds.read(brandId);
    const sources = sourcesOf(brandId, topics, urls);
    const userId = caller.type === 'user' ? caller.id : undefined;
    const outcomes = await this.ask(sources, refresh, { organizationId, brandName, userId });
    const stored = await this.store.states(sources, this.config.cacheMinutes);
    const states = stored.map((state, index) => withOutcome(state, outcomes.get(index)));
    if (states.every(({ foundAt }) => foundAt === null)) throw this.whyNothing(states);
    const reports = sources.map((source, index) => reportOf(source, states[index] as SourceState));
    const found = await this.store.current(sources);
    return { trends: presented(found, reports, topics), sources: reports };
  }

  /** @returns the outcomes within the time that a request waits, by the place of their source */
  private async ask(
    sources: readonly SourceId[],
    refresh: boolean,
    asker: Parameters<SourceCalls['ask']>[2],
  ): Promise<ReadonlyMap<number, CallOutcome>> {
    const states = await this.store.states(sources, this.config.cacheMinutes);
    const outcomes = new Map<number, CallOutcome>();
    const calls = sources.flatMap((source, index) => {
      const { version = 0, isDue = true } = states[index] ?? {};
      const call = () => this.calls.ask(source, version, asker);
      return isDue || refresh ? [call().then((outcome) => outcomes.set(index, outcome))] : [];
    });
    if (calls.length === 0) return outcomes;
    await within(this.config.waitMs, Promise.all(calls));
    return outcomes;
  }

  private whyNothing(states: readonly SourceState[]): Error {
    const failures = states.filter(({ failure }) => failure !== null);
    const limited = failures.filter(({ isLimited }) => isLimited);
    const told = limited.length > 0 ? limited : failures;
    const isPending = failures.length < states.length;
    const reason = told[0]?.failure ?? 'still_running';
    const shortest = Math.min(...told.map(({ retryAfterSeconds }) => retryAfterSeconds));
    const seconds = isPending ? PENDING_SECONDS : Math.max(1, shortest);
    if (limited.length === 0 || isPending) return new TrendsAreUnavailable(reason, seconds);
    if (reason === LIMIT_REACHED) return new TrendLimitIsReached(this.config.limitPerHour, seconds);
    return new TrendSourcesAreLimited(reason, seconds);
  }
}

/** Seconds that clients wait for a source that is being asked. */
const PENDING_SECONDS = 5;

/** What is stored of a source that was not asked says nothing about this request. */
function withOutcome(state: SourceState, outcome?: CallOutcome): SourceState {
  if (outcome?.kind !== 'not-asked') return state;
  const { code: failure, retryAfterSeconds } = outcome;
  return { ...state, failure, isLimited: failure === LIMIT_REACHED, retryAfterSeconds };
}

function sourcesOf(brandId: string, topics: readonly string[], urls: readonly string[]): SourceId[] {
  const asked = topics.length === 0 ? [''] : topics;
  return [
    ...asked.map((key) => ({ brandId, kind: 'model' as const, key })),
    ...urls.map((key) => ({ brandId, kind: 'feed' as const, key })),
  ];
}

function reportOf(source: SourceId, state: SourceState): SourceReport {
  return { source, state, freshness: freshnessOf(state) };
}

function freshnessOf({ foundAt, failure, isYoung }: SourceState): Freshness {
  if (foundAt === null) return failure === null ? 'pending' : 'failed';
  return failure === null && isYoung ? 'fresh' : 'stale';
}

function presented(
  found: readonly (Trend & { readonly source: SourceId })[],
  reports: readonly SourceReport[],
  topics: readonly string[],
): CurrentTrend[] {
  return found
    .map(({ source, ...trend }) => ({
      ...trend,
      topics: trend.kind === 'model' ? topics.filter((topic) => topic === source.key) : about(trend, topics),
      isStale: reports.some(
        ({ source: { kind, key }, freshness }) =>
          kind === source.kind && key === source.key && freshness === 'stale',
      ),
    }))
    .filter(({ topics: named }) => topics.length === 0 || named.length > 0)
    .sort(newestFirst);
}

const about = ({ title, summary }: Trend, topics: readonly string[]): string[] =>
  topicsIn(`${title} ${summary}`, topics);
