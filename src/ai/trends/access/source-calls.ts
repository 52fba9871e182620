import { scheduler } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { BoundedQueue, within } from '#libs/concurrency';
import { Database } from '#libs/database';
import { type HeldLeases, Leases } from '#libs/due-work';
import { HttpConfig, RateLimits } from '#libs/http';
import { AsksStore } from '../asks.store.js';
import type { SourceKind } from '../domain/trend.js';
import {
  type Asker,
  inDoubt,
  type SourceId,
  type SourceRequest,
  type SourceResult,
  type TrendSource,
} from '../sources/trend-source.js';
import { TrendsConfig } from '../trends.config.js';
import { TrendsStore } from '../trends.store.js';

export const TREND_SOURCES = Symbol('trend sources');
export type TrendSources = Readonly<Record<SourceKind, TrendSource>>;

/** How long a source waits for a process that died. */
const LEASE_MS = 30_000;
/** How often a process looks whether another one has finished. */
const POLL_MS = 200;
/** Of each kind: slow models take no place of feeds. */
const CALLS_AT_ONCE = 32;
const MAX_WAITING = 512;
const RETRY_MS = 60_000;
/** A budget can be raised long before the end that its Retry-After gives. */
const MAX_RETRY_MS = 3_600_000;
/** Until a full queue has places again. */
const BUSY_SECONDS = 5;

export const LIMIT_REACHED = 'trend_limit_reached';

/** `not-asked`: nothing is stored about it, as another request or process can ask. */
export type CallOutcome =
  | { readonly kind: 'asked' }
  | {
      readonly kind: 'not-asked';
      readonly code: typeof LIMIT_REACHED | 'source_busy';
      readonly retryAfterSeconds: number;
    };

const ASKED: CallOutcome = { kind: 'asked' };
const BUSY: CallOutcome = { kind: 'not-asked', code: 'source_busy', retryAfterSeconds: BUSY_SECONDS };

class TooManyWait extends Error {}

/**
 * Asks sources, each at most once at a time over all replicas: the holder of the source's lease asks, the others wait for the
 * outcome in the cache. A lease that its holder left behind expires, and a waiting process takes over with the same request.
 */
@Injectable()
export class SourceCalls implements BeforeApplicationShutdown {
  private readonly logger = new Logger(SourceCalls.name);
  private readonly running = new Map<string, Promise<CallOutcome>>();
  private readonly queues: Readonly<Record<SourceKind, BoundedQueue>> = {
    model: newQueue(),
    feed: newQueue(),
  };
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly limits: RateLimits,
    private readonly store: TrendsStore,
    private readonly asks: AsksStore,
    private readonly config: TrendsConfig,
    private readonly http: HttpConfig,
    @Inject(TREND_SOURCES) private readonly sources: TrendSources,
  ) {}

  /**
   * Resolves when the source has an outcome after `version`, from this call or a concurrent one. It goes on when its caller leaves:
   * the result is for all. Never rejects.
   * @param version of the outcome that the caller has seen
   */
  ask(source: SourceId, version: number, asker: Asker): Promise<CallOutcome> {
    const key = leaseOf(source);
    const running = this.running.get(key);
    if (running) return running;
    const call = this.askInTurn(source, version, asker)
      .catch((error: unknown) => {
        if (error instanceof TooManyWait) return BUSY;
        this.logger.warn(error, 'A source of trends could not be asked.');
        return ASKED;
      })
      .finally(() => this.running.delete(key));
    this.running.set(key, call);
    return call;
  }

  /**
   * Resolves when the running calls have stored their results, at the latest after the shutdown time of requests. Their leases are
   * kept: another process would ask while the first request still runs at its source.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await within(this.http.shutdownGraceMs, Promise.allSettled(this.running.values()));
  }

  private async askInTurn(source: SourceId, version: number, asker: Asker): Promise<CallOutcome> {
    const [queue, origin] = [this.queues[source.kind], { name: asker.organizationId }];
    while (!this.isStopping) {
      const held = await this.leases.held(this.database, [leaseOf(source)]);
      // No place is taken to wait for another process, and no lease to wait for a place.
      const outcome =
        held.size === 0 && (await queue.run(origin, () => this.askIfFree(source, version, asker)));
      if (outcome) return outcome;
      await scheduler.wait(POLL_MS);
      if ((await this.store.version(source)) !== version) return ASKED;
    }
    return ASKED;
  }

  private async askIfFree(source: SourceId, version: number, asker: Asker): Promise<CallOutcome | undefined> {
    if (this.isStopping) return undefined;
    return this.leases.whileHeld(this.database, leaseOf(source), LEASE_MS, (_, held) =>
      this.askHolding(held, source, version, asker),
    );
  }

  private async askHolding(
    held: HeldLeases,
    source: SourceId,
    version: number,
    asker: Asker,
  ): Promise<CallOutcome> {
    // Another process may have finished between the caller's read and the lease.
    if ((await this.store.version(source)) !== version) return ASKED;
    const { limitPerHour: limit } = this.config;
    const policy = { name: 'trend-sources', limit, windowSeconds: 3_600 };
    const allowance = await this.limits.take(policy, source.brandId);
    if (!allowance.allowed)
      return { kind: 'not-asked', code: LIMIT_REACHED, retryAfterSeconds: allowance.resetSeconds };
    await this.save(held, source, await this.fetch(await this.asks.reserve(source, asker)));
    return ASKED;
  }

  private async fetch(request: SourceRequest): Promise<SourceResult> {
    try {
      return await this.sources[request.source.kind].fetch(request);
    } catch (error) {
      this.logger.error(error, 'A source of trends failed.');
      return inDoubt('source_failed');
    }
  }

  /** Only the holder of the lease stores: after a pause of this process, another one may have stored a newer result. */
  private async save(held: HeldLeases, source: SourceId, result: SourceResult): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const kept = await this.leases.renew(transaction, held, LEASE_MS);
      if (kept.size === 0) return;
      await this.store.save(transaction, source, result, retryMsOf(result));
      if (result.kind === 'found' || !result.isInDoubt) await this.asks.end(transaction, source);
    });
  }
}

const newQueue = (): BoundedQueue =>
  new BoundedQueue(
    CALLS_AT_ONCE,
    { total: MAX_WAITING, perOrigin: MAX_WAITING / 4, unknownTotal: MAX_WAITING },
    () => new TooManyWait(),
  );

const leaseOf = ({ brandId, kind, key }: SourceId): string => `trends:${brandId}:${kind}:${key}`;

function retryMsOf(result: SourceResult): number {
  const wanted = result.kind === 'failed' ? (result.retryAfterMs ?? RETRY_MS) : RETRY_MS;
  return Math.min(Math.max(wanted, 1_000), MAX_RETRY_MS);
}
