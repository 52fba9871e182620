const MAX_ENTRIES = 10_000;

interface Entry<T> {
  readonly value: T;
  readonly until: number;
}

/** Values that are valid for a fixed time. Bounded: the oldest entries are dropped first. */
export class ExpiringMap<T> {
  private readonly entries = new Map<string, Entry<T>>();

  /** @param ttlMs how long a value is valid, from the instant given to `set` */
  constructor(
    private readonly ttlMs: number,
    private readonly monotonic: () => number,
  ) {}

  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    return entry && this.monotonic() < entry.until ? entry.value : undefined;
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  /** @param readAt monotonic instant before the value was read, so that its age includes the time of the read. Default: now */
  set(key: string, value: T, readAt = this.monotonic()): void {
    this.entries.delete(key);
    this.entries.set(key, { value, until: readAt + this.ttlMs });
    if (this.entries.size <= MAX_ENTRIES) return;
    const oldest = this.entries.keys().next().value;
    if (oldest !== undefined) this.entries.delete(oldest);
  }
}
