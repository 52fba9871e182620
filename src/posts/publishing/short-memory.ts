import type { Clock } from '#libs/clock';

/** Ids that this process knows for a while, and nobody else has to. */
export class ShortMemory {
  /** Until when, in monotonic milliseconds. */
  private readonly until = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly forMs: number,
  ) {}

  add(id: string): void {
    this.until.set(id, this.clock.monotonic() + this.forMs);
  }

  has(id: string): boolean {
    return (this.until.get(id) ?? -Infinity) > this.clock.monotonic();
  }

  get ids(): string[] {
    const now = this.clock.monotonic();
    for (const [id, until] of this.until) if (until <= now) this.until.delete(id);
    return [...this.until.keys()];
  }
}
