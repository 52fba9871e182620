import type { OnApplicationShutdown } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database } from '#libs/database';
import type { Executor } from '#libs/database';
import { Leases } from '#libs/due-work';
import type { Fence, Lease } from '#libs/due-work';
import { PublishConfig } from './publish.config.js';

interface Held {
  readonly fence: Fence;
  /** Monotonic milliseconds. Counted from before the database was asked, so that a pause in between makes it earlier, never later. */
  leasedAt: number;
}

/** Milliseconds that a call may begin before it could end outside the lease, over and above its own timeout. */
const MARGIN_MS = 250;

/**
 * The accounts this worker may send to. A call begins only while it would end, timeout included, before anybody else
 * can take the account: a process that was frozen finds its time over when it wakes. Whoever asks shows the lease its
 * claim got: a later one of the same account, of this process too, is somebody else's right.
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

  /** Those of `keys` that any worker holds now; a lease of this one that ran out is not among them. */
  heldOf(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return this.leases.held(this.database, keys);
  }

  /** @returns the leases by key, of the keys that are ours now; what anybody holds, this worker included, is left out. */
  async acquire(keys: readonly string[]): Promise<ReadonlyMap<string, Lease>> {
    const leasedAt = this.clock.monotonic();
    const taken = await this.leases.acquire(this.database, keys, this.config.leaseMs);
    for (const [key, fence] of taken) this.held.set(key, { fence, leasedAt });
    return new Map([...taken].map(([key, fence]) => [key, { key, fence }]));
  }

  /** Whether a call that begins now ends while the account is surely leased so. */
  isSafe({ key, fence }: Lease): boolean {
    const held = this.held.get(key);
    if (held?.fence !== fence) return false;
    const until = held.leasedAt + this.config.leaseMs - this.config.callTimeoutMs - MARGIN_MS;
    return this.clock.monotonic() < until;
  }

  /** Gives them back; in a transaction, when that commits: they are to be forgotten once it has. */
  release(executor: Executor, given: readonly Lease[]): Promise<void> {
    return this.leases.release(
      executor,
      given.map(({ key, fence }) => [key, fence]),
    );
  }

  /**
   * Gives them back now, without fail: what the database cannot be told, because it is away just then, is no longer
   * renewed and so runs out by itself.
   */
  async giveBack(given: readonly Lease[]): Promise<void> {
    this.forget(given);
    try {
      await this.release(this.database, given);
    } catch (error) {
      this.logger.warn(error, 'Accounts could not be given back; their leases run out.');
    }
  }

  /** Another claim of this worker may have taken the account again already: that one stays. */
  forget(given: readonly Lease[]): void {
    for (const { key, fence } of given) if (this.held.get(key)?.fence === fence) this.held.delete(key);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /**
   * A lease that could not be renewed keeps its time: it runs out, and sending stops by itself. One that is somebody
   * else's by now ends here.
   */
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
      this.logger.warn(error, 'The leases of accounts could not be renewed.');
    }
  }
}
