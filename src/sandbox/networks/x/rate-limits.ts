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

const QUARTER_HOUR = 900;

/** Per user and route, as X's page on rate limits lists them. */
export const USER_LIMITS: Readonly<Record<string, Limit>> = {
  'POST /2/tweets': { limit: 100, windowSeconds: QUARTER_HOUR },
  'DELETE /2/tweets/:id': { limit: 50, windowSeconds: QUARTER_HOUR },
  'GET /2/tweets/:id': { limit: 900, windowSeconds: QUARTER_HOUR },
  'GET /2/users/:id/tweets': { limit: 900, windowSeconds: QUARTER_HOUR },
  'POST /2/media/upload': { limit: 500, windowSeconds: QUARTER_HOUR },
  'GET /2/media/upload': { limit: 1_000, windowSeconds: QUARTER_HOUR },
  'POST /2/media/upload/initialize': { limit: 1_875, windowSeconds: QUARTER_HOUR },
  'POST /2/media/upload/:id/append': { limit: 1_875, windowSeconds: QUARTER_HOUR },
  'POST /2/media/upload/:id/finalize': { limit: 1_875, windowSeconds: QUARTER_HOUR },
  'POST /2/media/metadata': { limit: 500, windowSeconds: QUARTER_HOUR },
  'GET /2/users/me': { limit: 75, windowSeconds: QUARTER_HOUR },
};

/** Posts of all users of one app together. */
export const APP_POST_LIMIT: Limit = { limit: 10_000, windowSeconds: 86_400 };

const MAX_WINDOWS = 50_000;

/** Fixed windows that start with their first call. */
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

export function userLimitHeaders({ limit, remaining, reset }: Usage): Record<string, string> {
  return {
    'x-rate-limit-limit': String(limit),
    'x-rate-limit-remaining': String(remaining),
    'x-rate-limit-reset': String(reset),
  };
}

export function appLimitHeaders({ limit, remaining, reset }: Usage): Record<string, string> {
  return {
    'x-app-limit-24hour-limit': String(limit),
    'x-app-limit-24hour-remaining': String(remaining),
    'x-app-limit-24hour-reset': String(reset),
  };
}
