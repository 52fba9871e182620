const EVERY_MS = 500;
const RESIDENT = /^process_resident_memory_bytes (\d+(?:\.\d+)?(?:e\+\d+)?)$/m;

/** Resident memory of a process, as its metrics state it, over time. */
export class MemoryWatch {
  private readonly megabytes: number[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly managementUrl: string) {
    this.timer = setInterval(() => void this.look(), EVERY_MS);
  }

  /** Megabytes: the peaks of the first and of the last third, which are equal when memory is flat. */
  end(): { readonly first: number; readonly last: number } {
    clearInterval(this.timer);
    const third = Math.ceil(this.megabytes.length / 3);
    return {
      first: Math.max(0, ...this.megabytes.slice(0, third)),
      last: Math.max(0, ...this.megabytes.slice(-third)),
    };
  }

  private async look(): Promise<void> {
    const response = await fetch(`${this.managementUrl}/metrics`).catch(() => null);
    const [, bytes] = RESIDENT.exec((await response?.text()) ?? '') ?? [];
    if (bytes !== undefined) this.megabytes.push(Number(bytes) / 1_048_576);
  }
}
