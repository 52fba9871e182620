import type { Clock } from '#libs/clock';

/** X counts its ids from this instant on (4 November 2010); the other networks of the sandbox share the counting. */
const EPOCH_MS = 1_288_834_974_657n;
const SEQUENCE_BITS = 22n;

/** Ids of 19 digits, as X gives them: numeric text, unique and increasing with time, also when the clock goes back. */
export class Snowflakes {
  private last = 0n;

  constructor(private readonly clock: Clock) {}

  next(): string {
    const byTime = (BigInt(this.clock.now().getTime()) - EPOCH_MS) << SEQUENCE_BITS;
    this.last = byTime > this.last ? byTime : this.last + 1n;
    return this.last.toString();
  }

  /** Ensures that later ids are higher than this restored one. */
  passed(id: string): void {
    const value = BigInt(id);
    if (value > this.last) this.last = value;
  }
}

/** Orders ids without turning them into numbers, which would lose digits. */
export function compareIds(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : Number(left > right);
}
