import { type Counter, type CounterChange, type CounterState, keyOf } from './counters.js';

/** A use of a counter that was asked for, with the counter after the statement that was to take it. */
export interface Use extends Omit<CounterState, 'granted' | 'taken'> {
  readonly counter: Counter;
  readonly isGranted: boolean;
  /** Order of the use among those of its counter. */
  readonly number: number;
}

interface Share {
  readonly counter: Counter;
  readonly state: CounterState;
  left: number;
}

/** The uses that one statement took, shared out to the calls it took them for. */
export class GrantedUses {
  private readonly shares: ReadonlyMap<string, Share>;

  constructor(changes: readonly CounterChange[], states: ReadonlyMap<string, CounterState>) {
    this.shares = new Map(
      changes.flatMap(({ counter }) => {
        const state = states.get(keyOf(counter));
        return state ? [[keyOf(counter), { counter, state, left: state.granted }]] : [];
      }),
    );
  }

  /** One of each counter; when one is missing, the others stay for the next call. */
  take(counters: readonly Counter[]): Use[] {
    const shares = counters.map((counter) => this.shares.get(keyOf(counter)) as Share);
    const uses = shares.map(useOf);
    if (uses.every(({ isGranted }) => isGranted)) for (const share of shares) share.left -= 1;
    return uses;
  }

  rest(): Use[] {
    return [...this.shares.values()].flatMap((share) =>
      Array.from({ length: share.left }, () => useOf(share)),
    );
  }
}

function useOf({ counter, state, left }: Share): Use {
  const { taken, remaining, max, windowEndsAt, freeInMs } = state;
  return { counter, isGranted: left > 0, number: taken - left + 1, remaining, max, windowEndsAt, freeInMs };
}
