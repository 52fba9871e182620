import { createHmac, randomBytes } from 'node:crypto';

const LIFE_MS = 5 * 60_000;
const MAX_CREDENTIALS = 10_000;

/**
 * Which credentials were accepted a short while ago, for deciding whose question goes first, and never for answering it. Holds
 * keyed hashes, under a key that no other process has.
 */
export class AcceptedLately {
  private readonly key = randomBytes(32);
  /** Ends by hash, on the monotonic clock; the oldest first. */
  private readonly ends = new Map<string, number>();

  constructor(private readonly monotonic: () => number) {}

  has(credential: string): boolean {
    return (this.ends.get(this.hash(credential)) ?? -Infinity) > this.monotonic();
  }

  add(credential: string): void {
    const hash = this.hash(credential);
    this.ends.delete(hash);
    this.ends.set(hash, this.monotonic() + LIFE_MS);
    if (this.ends.size > MAX_CREDENTIALS) this.forgetOldest();
  }

  remove(credential: string): void {
    this.ends.delete(this.hash(credential));
  }

  private hash(credential: string): string {
    return createHmac('sha256', this.key).update(credential).digest('base64');
  }

  private forgetOldest(): void {
    const oldest = this.ends.keys().next().value;
    if (oldest !== undefined) this.ends.delete(oldest);
  }
}
