/** Time that was used counts half after this long: who used much before is next in turn again. */
const HALF_LIFE_MS = 60_000;
/** Running work counts as this at least, so that one who has begun is behind one who has not. */
const LEAST_MS = 1_000;
/** More users than have work at the same time. */
const MAX_REMEMBERED = 1_000;
/** Forgotten at once, because that reads all. */
const FORGOTTEN = 100;

interface Used {
  ms: number;
  at: number;
  readonly running: Set<{ since: number }>;
}

/** The time that each user took of something shared, so that users take turns by their time, whatever the number of their items. */
export class UsedTime {
  private readonly users = new Map<string, Used>();

  /** @param monotonic milliseconds */
  constructor(private readonly monotonic: () => number = () => performance.now()) {}

  /** Work of the user begins. @returns ends it, once. It counts the time from the last call of `restart` on */
  begin(user: string): { readonly restart: () => void; readonly end: () => void } {
    const used = this.users.get(user) ?? { ms: 0, at: this.monotonic(), running: new Set() };
    this.users.set(user, used);
    const work = { since: this.monotonic() };
    used.running.add(work);
    const restart = (): void => void (work.since = this.monotonic());
    const end = (): void => {
      if (!used.running.delete(work)) return;
      const now = this.monotonic();
      used.ms = decayed(used, now) + (now - work.since);
      used.at = now;
      this.forget();
    };
    return { restart, end };
  }

  /** Who took time lately or takes some now, the one with the least first. */
  leastFirst(): string[] {
    const now = this.monotonic();
    const sums = [...this.users].map(([user, used]) => ({ user, ms: sumOf(used, now) }));
    return sums.toSorted((a, b) => a.ms - b.ms).map(({ user }) => user);
  }

  private forget(): void {
    if (this.users.size <= MAX_REMEMBERED) return;
    const idle = this.leastFirst().filter((user) => this.users.get(user)?.running.size === 0);
    for (const user of idle.slice(0, FORGOTTEN)) this.users.delete(user);
  }
}

const decayed = ({ ms, at }: Used, now: number): number => ms * 2 ** ((at - now) / HALF_LIFE_MS);

function sumOf(used: Used, now: number): number {
  let ms = decayed(used, now);
  for (const { since } of used.running) ms += Math.max(LEAST_MS, now - since);
  return ms;
}
