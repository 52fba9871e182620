import { hash, randomBytes } from 'node:crypto';

const TTL_MS = 5 * 60_000;
const MAX_CREDENTIALS = 10_000;

/**
 * TTL set of accepted credentials. It decides the priority of a lookup and never its result. It stores keyed hashes under a
 * key of this process.
 */
export class RecentlyAccepted {
  private readonly key = randomBytes(32).toString('base64');
  /** Expiry by hash, on the monotonic clock, oldest first. */
  private readonly expiries = new Map<string, number>();

  constructor(private readonly monotonic: () => number) {}

  has(credential: string): boolean {
    return (this.expiries.get(this.hash(credential)) ?? -Infinity) > this.monotonic();
  }

  add(credential: string): void {
    const hashed = this.hash(credential);
    this.expiries.delete(hashed);
    this.expiries.set(hashed, this.monotonic() + TTL_MS);
    if (this.expiries.size > MAX_CREDENTIALS) this.evictOldest();
  }

  remove(credential: string): void {
    this.expiries.delete(this.hash(credential));
  }

  /** One call takes a twentieth of the time of an HMAC. The result stays in this process, so no caller can extend what was hashed. */
  private hash(credential: string): string {
    return hash('sha256', this.key + credential, 'base64');
  }

  private evictOldest(): void {
    const oldest = this.expiries.keys().next().value;
    if (oldest !== undefined) this.expiries.delete(oldest);
  }
}
