import { hash } from 'node:crypto';
import { scheduler } from 'node:timers/promises';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { BoundedQueue } from '#libs/concurrency';
import { Database } from '#libs/database';
import type { HeldLeases } from '#libs/due-work';
import { Leases } from '#libs/due-work';
import { RateLimits } from '#libs/http';
import type { SourceKind } from './domain/trend.js';
import { MODEL_TIMEOUT_MS } from './sources/model/model-trends.js';
import { failed } from './sources/trend-source.js';
import type { Asker, SourceId, SourceRequest, SourceResult, TrendSource } from './sources/trend-source.js';
import { TrendsConfig } from './trends.config.js';
import { TrendsStore } from './trends.store.js';

/** By the kind of the source. */
export const TREND_SOURCES = Symbol('trend sources');
export type TrendSources = Readonly<Record<SourceKind, TrendSource>>;

/** Longer than a call and the storing of its result, so that a lease is never lost while its holder lives. */
export const LEASE_MS = MODEL_TIMEOUT_MS + 30_000;
/** How often a process looks whether another one has finished. */
const POLL_MS = 200;
const CALLS_AT_ONCE = 32;
const MAX_WAITING = 512;
/** After a failure. */
const RETRY_MS = 60_000;
/** A budget can be raised long before the end that its Retry-After gives. */
const MAX_RETRY_MS = 3_600_000;

export type CallOutcome =
  { readonly kind: 'asked' } | { readonly kind: 'over-limit'; readonly retryAfterSeconds: number };

const ASKED: CallOutcome = { kind: 'asked' };

/**
 * Asks sources, each at most once at a time over all replicas: the holder of the source's lease asks, the others wait for the
 * outcome in the cache. A lease that its holder left behind expires, and a waiting process takes over.
 */
@Injectable()
export class SourceCalls implements BeforeApplicationShutdown {
  private readonly logger = new Logger(SourceCalls.name);
  private readonly running = new Map<string, Promise<CallOutcome>>();
  private readonly held = new Set<HeldLeases>();
  private readonly queue = new BoundedQueue(
    CALLS_AT_ONCE,
    { total: MAX_WAITING, perOrigin: MAX_WAITING / 4, unknownTotal: MAX_WAITING },
    () => new Error('Too many sources of trends wait to be asked.'),
  );
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly limits: RateLimits,
    private readonly store: TrendsStore,
    private readonly config: TrendsConfig,
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
        this.logger.warn(error, 'A source of trends could not be asked.');
        return ASKED;
      })
      .finally(() => this.running.delete(key));
    this.running.set(key, call);
    return call;
  }

  /** Other replicas need not wait until the leases expire. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    const left = [...this.held].flatMap((held) => [...held]);
    await this.leases.release(this.database, left).catch(() => undefined);
  }

  private async askInTurn(source: SourceId, version: number, asker: Asker): Promise<CallOutcome> {
    while (!this.isStopping) {
      const held = await this.leases.acquire(this.database, [leaseOf(source)], LEASE_MS);
      if (held.size > 0) return this.askHolding(held, source, version, asker);
      await scheduler.wait(POLL_MS);
      if ((await this.store.version(source)) !== version) return ASKED;
    }
    return ASKED;
  }

  private async askHolding(
    held: HeldLeases,
    source: SourceId,
    version: number,
    asker: Asker,
  ): Promise<CallOutcome> {
    this.held.add(held);
    try {
      // Another process may have finished between the caller's read and the lease.
      const current = await this.store.version(source);
      if (current !== version) return ASKED;
      const { limitPerHour: limit } = this.config;
      const policy = { name: 'trend-sources', limit, windowSeconds: 3_600 };
      const allowance = await this.limits.take(policy, source.brandId);
      if (!allowance.allowed) return { kind: 'over-limit', retryAfterSeconds: allowance.resetSeconds };
      const idempotencyKey = hash('sha256', `${leaseOf(source)} ${current}`);
      await this.save(held, source, await this.fetch({ ...asker, source, idempotencyKey }));
      return ASKED;
    } finally {
      this.held.delete(held);
      await this.leases.release(this.database, held);
    }
  }

  private async fetch(request: SourceRequest): Promise<SourceResult> {
    const origin = { name: request.organizationId };
    try {
      return await this.queue.run(origin, () => this.sources[request.source.kind].fetch(request));
    } catch (error) {
      this.logger.warn(error, 'A source of trends failed.');
      return failed('source_busy');
    }
  }

  /** Only the holder of the lease stores: after a pause of this process, another one may have stored a newer result. */
  private async save(held: HeldLeases, source: SourceId, result: SourceResult): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const kept = await this.leases.renew(transaction, held, LEASE_MS);
      if (kept.size > 0) await this.store.save(transaction, source, result, retryMsOf(result));
    });
  }
}

const leaseOf = ({ brandId, kind, key }: SourceId): string => `trends:${brandId}:${kind}:${key}`;

function retryMsOf(result: SourceResult): number {
  const wanted = result.kind === 'failed' ? (result.retryAfterMs ?? RETRY_MS) : RETRY_MS;
  return Math.min(Math.max(wanted, 1_000), MAX_RETRY_MS);
}
