import type { Clock } from '#libs/clock';

export interface Limit {
  readonly limit: number;
  readonly windowSeconds: number;
}

export interface Usage {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Epoch seconds at which the next window starts. */
  readonly reset: number;
}

const MAX_WINDOWS = 50_000;

export class RateWindows {
  private readonly windows = new Map<string, { used: number; until: number }>();

  constructor(private readonly clock: Clock) {}

  take(key: string, { limit, windowSeconds }: Limit): Usage {
    const now = Math.floor(this.clock.now().getTime() / 1000);
    const window = this.open(key, now, windowSeconds);
    window.used += 1;
    const remaining = Math.max(0, limit - window.used);
    return { allowed: window.used <= limit, limit, remaining, reset: window.until };
  }

  clear(): void {
    this.windows.clear();
  }

  private open(key: string, now: number, windowSeconds: number): { used: number; until: number } {
    const current = this.windows.get(key);
    if (current && current.until > now) return current;
    if (this.windows.size >= MAX_WINDOWS) this.dropEnded(now);
    const opened = { used: 0, until: now + windowSeconds };
    this.windows.set(key, opened);
    return opened;
  }

  private dropEnded(now: number): void {
    for (const [key, window] of this.windows) if (window.until <= now) this.windows.delete(key);
  }
}
