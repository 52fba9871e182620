import { type Counter, type CounterChange, type CounterReading, keyOf } from './counters.js';

type Merged = { -readonly [Member in keyof CounterChange]: CounterChange[Member] };

export class PendingChanges {
  private readonly byKey = new Map<string, Merged>();

  get size(): number {
    return this.byKey.size;
  }

  want(counter: Counter): void {
    this.of(counter).wanted += 1;
  }

  /** Uses of another fixed window than one that is merged already have no effect any more. A rolling window has no other. */
  giveBack(counter: Counter, ofWindow: string): void {
    const change = this.of(counter);
    const isRolling = counter.limit.window.kind === 'rolling';
    if (change.returned > 0 && change.ofWindow !== ofWindow && !isRolling) return;
    change.ofWindow = ofWindow;
    change.returned += 1;
  }

  learn(counter: Counter, ofWindow: string | null, reading: CounterReading): void {
    const change = this.of(counter);
    if (change.returned === 0) change.ofWindow = ofWindow;
    change.reading = change.reading ? newerOf(change.reading, reading) : reading;
  }

  drain(): CounterChange[] {
    const changes = [...this.byKey.values()];
    this.byKey.clear();
    return changes;
  }

  private of(counter: Counter): Merged {
    const key = keyOf(counter);
    const known = this.byKey.get(key);
    if (known) return known;
    const change = { counter, wanted: 0, returned: 0, ofWindow: null, reading: null };
    this.byKey.set(key, change);
    return change;
  }
}

/** The order of uses decides where both state one; else the later window, and within one window the smaller rest. */
function newerOf(a: CounterReading, b: CounterReading): CounterReading {
  if (a.after !== null && b.after !== null) return b.after >= a.after ? b : a;
  const [resetOfA, resetOfB] = [a.resetsAt ?? '', b.resetsAt ?? ''];
  if (resetOfA !== resetOfB) return resetOfB > resetOfA ? b : a;
  return b.remaining <= a.remaining ? b : a;
}
