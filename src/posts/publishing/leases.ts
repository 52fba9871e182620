import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, type Executor } from '#libs/database';
import { type Fence, type Lease, Leases } from '#libs/due-work';
import { PublishConfig } from './publish.config.js';

interface Held {
  readonly fence: Fence;
  /** Monotonic milliseconds, taken before the database was asked: a pause in between makes the lease end earlier, never later. */
  leasedAt: number;
}

/** Between the latest end of a call and the end of the lease, in milliseconds. */
const MARGIN_MS = 250;

/**
 * Leases of accounts. A call begins only if it ends, timeout included, before another worker can lease the account: a process
 * that was frozen finds its lease expired when it resumes. Each claim has a lease of its own: a later lease of the same account,
 * by this process too, does not allow the earlier claim to send.
 */
@Injectable()
export class PublishLeases implements OnApplicationShutdown {
  private readonly logger = new Logger(PublishLeases.name);
  private readonly held = new Map<string, Held>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly clock: Clock,
    private readonly config: PublishConfig,
  ) {
    this.timer = setInterval(() => void this.renew(), config.leaseMs / 4);
    this.timer.unref();
  }

  has(key: string): boolean {
    return this.held.has(key);
  }

  /** Those of `keys` that any worker holds now, without expired leases of this worker. */
  heldOf(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return this.leases.held(this.database, keys);
  }

  /** @returns the new leases by key, without keys that any worker holds, this one included */
  async acquire(keys: readonly string[]): Promise<ReadonlyMap<string, Lease>> {
    const leasedAt = this.clock.monotonic();
    const taken = await this.leases.acquire(this.database, keys, this.config.leaseMs);
    for (const [key, fence] of taken) this.held.set(key, { fence, leasedAt });
    return new Map([...taken].map(([key, fence]) => [key, { key, fence }]));
  }

  /** Whether a call that begins now ends before this lease does. */
  isSafe({ key, fence }: Lease): boolean {
    const held = this.held.get(key);
    if (held?.fence !== fence) return false;
    const until = held.leasedAt + this.config.leaseMs - this.config.callTimeoutMs - MARGIN_MS;
    return this.clock.monotonic() < until;
  }

  /** Releases leases, in a transaction when it commits. The caller has to `forget` them after that. */
  release(executor: Executor, given: readonly Lease[]): Promise<void> {
    return this.leases.release(
      executor,
      given.map(({ key, fence }) => [key, fence]),
    );
  }

  /** Releases leases now. Never throws: while the database is away they are no longer renewed, and expire. */
  async giveBack(given: readonly Lease[]): Promise<void> {
    this.forget(given);
    try {
      await this.release(this.database, given);
    } catch (error) {
      this.logger.warn(error, 'Leases of accounts could not be released. They expire.');
    }
  }

  /** A later lease of the same account by another claim of this worker stays. */
  forget(given: readonly Lease[]): void {
    for (const { key, fence } of given) if (this.held.get(key)?.fence === fence) this.held.delete(key);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** A lease that could not be renewed expires at its time. A lease that another worker has acquired since ends at once. */
  private async renew(): Promise<void> {
    const leasedAt = this.clock.monotonic();
    const current = new Map([...this.held].map(([key, { fence }]) => [key, fence]));
    try {
      const kept = await this.leases.renew(this.database, current, this.config.leaseMs);
      for (const [key, fence] of current) {
        const held = this.held.get(key);
        if (held?.fence !== fence) continue;
        if (kept.has(key)) held.leasedAt = leasedAt;
        else this.held.delete(key);
      }
    } catch (error) {
      this.logger.warn(
        error,
        'Leases of accounts could not be renewed. They are tried again, and expire otherwise.',
      );
    }
  }
}
