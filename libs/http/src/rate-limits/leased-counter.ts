import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

/** The state of a limit after a request. */
export interface Allowance {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Until the window ends. */
  readonly resetSeconds: number;
}

interface Lease {
  /** Requests this process may still allow without a query. */
  left: number;
  /** Free leases over all replicas, as of the last query. */
  unclaimed: number;
  /** On the monotonic clock. */
  until: number;
  asking?: Promise<void>;
}

/** At most one query per hundredth of the limit. */
const LEASES_PER_WINDOW = 100;
const KEYS_IN_MEMORY = 20_000;

/** Divides a limit into leases whose sum never exceeds it. */
export function leasesOf(limit: number): { readonly size: number; readonly count: number } {
  const size = Math.max(1, Math.floor(limit / LEASES_PER_WINDOW));
  return { size, count: Math.floor(limit / size) };
}

/**
 * Counts requests in leases: a process takes a hundredth of the limit from the shared counter at a time and
 * counts it down in memory. All replicas together never exceed the limit. An unused lease of one replica reduces the
 * share of the others by at most that lease until the window ends.
 */
export class LeasedCounter {
  private readonly leases = new Map<string, Lease>();

  /** @param counter counts leases, `leasesOf(limit).count` per window */
  constructor(
    private readonly counter: RateLimiterAbstract,
    private readonly leaseSize: number,
    private readonly monotonic: () => number,
  ) {}

  /**
   * Synchronous for one request while a lease lasts.
   * @param requests all of them are allowed or none; of more than are left only one is counted
   * @throws the error of an unreachable shared counter
   */
  take(key: string, requests = 1): Allowance | Promise<Allowance> {
    if (requests > 1) return this.takeMany(key, requests);
    const lease = this.current(key);
    if (lease.left > 0) {
      lease.left -= 1;
      return this.allowance(lease, true);
    }
    if (this.isExhausted(lease)) return this.allowance(lease, false);
    lease.asking ??= this.ask(key, lease).finally(() => (lease.asking = undefined));
    return lease.asking.then(() => this.take(key));
  }

  private async takeMany(key: string, requests: number): Promise<Allowance> {
    let allowance = await this.take(key);
    if (allowance.remaining < requests - 1) return { ...allowance, allowed: false };
    for (let taken = 1; taken < requests && allowance.allowed; taken += 1) allowance = await this.take(key);
    return allowance;
  }

  /**
   * A request that was taken counts no more: this process allows another one. Of an earlier window nothing is given back.
   * @param takenAt on the monotonic clock, after `take`
   */
  giveBack(key: string, takenAt: number, windowMs: number): void {
    const lease = this.leases.get(key);
    if (lease && takenAt >= lease.until - windowMs) lease.left += 1;
  }

  /** The refusal that `take` would return, or undefined while it might allow. Counts nothing. */
  spent(key: string): Allowance | undefined {
    const lease = this.leases.get(key);
    return lease && this.isExhausted(lease) ? this.allowance(lease, false) : undefined;
  }

  private isExhausted(lease: Lease): boolean {
    return lease.left === 0 && lease.unclaimed === 0 && !lease.asking && lease.until > this.monotonic();
  }

  private current(key: string): Lease {
    const known = this.leases.get(key);
    if (known && (known.asking || known.until > this.monotonic())) return known;
    if (this.leases.size >= KEYS_IN_MEMORY) this.forgetOldest();
    const fresh: Lease = { left: 0, unclaimed: 1, until: 0 };
    this.leases.delete(key);
    this.leases.set(key, fresh);
    return fresh;
  }

  private async ask(key: string, lease: Lease): Promise<void> {
    const result = await this.counter.consume(key, 1).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
    const granted = result.consumedPoints <= this.counter.points;
    if (granted) lease.left += this.leaseSize;
    lease.unclaimed = Math.max(0, result.remainingPoints);
    lease.until = this.monotonic() + Math.max(1, result.msBeforeNext);
  }

  private allowance(lease: Lease, allowed: boolean): Allowance {
    const resetSeconds = Math.max(1, Math.ceil((lease.until - this.monotonic()) / 1000));
    return { allowed, remaining: lease.left + lease.unclaimed * this.leaseSize, resetSeconds };
  }

  private forgetOldest(): void {
    const oldest = this.leases.keys().next().value;
    if (oldest !== undefined) this.leases.delete(oldest);
  }
}
