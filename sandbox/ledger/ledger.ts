import type { Journal, JournalRecord, Persistent } from './journal.js';
import type { Effect } from './effect.js';

export interface EffectFilter {
  readonly network?: string;
  readonly kind?: string;
  /** Id or username. */
  readonly account?: string;
  readonly text?: string;
  readonly contains?: string;
  /** Inclusive, RFC 3339. */
  readonly since?: string;
  /** Only effects after this sequence number. */
  readonly after?: number;
}

export interface EffectCounts {
  readonly accepted: number;
  readonly distinct: number;
  /** Texts that were accepted more than once. */
  readonly repeated: Readonly<Record<string, number>>;
  readonly texts: Readonly<Record<string, number>>;
}

/** Every accepted effect of every network, once. */
export class Ledger implements Persistent {
  private effects: Effect[] = [];
  private sequence = 0;
  /** How many effects were dropped. A check over an incomplete ledger proves nothing. */
  forgotten = 0;

  constructor(
    private readonly capacity: number,
    private readonly journal: Pick<Journal, 'append'>,
  ) {}

  get size(): number {
    return this.effects.length;
  }

  record(effect: Omit<Effect, 'sequence' | 'answered'>): Effect {
    const recorded: Effect = { sequence: ++this.sequence, ...effect, answered: 'yes' };
    this.keep(recorded);
    return recorded;
  }

  /** Records that a fault suppressed the response. */
  withhold(effect: Effect, by: string): void {
    effect.answered = by;
    this.journal.append({ kind: 'effect.withheld', sequence: effect.sequence, by });
  }

  *matching(filter: EffectFilter): Generator<Effect> {
    for (const effect of this.effects) if (matches(effect, filter)) yield effect;
  }

  /** Newest first. */
  latest(filter: EffectFilter, count: number): readonly Effect[] {
    const found: Effect[] = [];
    for (let at = this.effects.length - 1; at >= 0 && found.length < count; at -= 1) {
      const effect = this.effects[at];
      if (effect && matches(effect, filter)) found.push(effect);
    }
    return found;
  }

  counts(filter: EffectFilter): EffectCounts {
    const texts: Record<string, number> = Object.create(null) as Record<string, number>;
    let accepted = 0;
    for (const effect of this.matching(filter)) {
      accepted += 1;
      const text = effect.text ?? '';
      texts[text] = (texts[text] ?? 0) + 1;
    }
    const repeated = Object.fromEntries(Object.entries(texts).filter(([, count]) => count > 1));
    return { accepted, distinct: Object.keys(texts).length, repeated, texts };
  }

  clear(): void {
    this.effects = [];
    this.forgotten = 0;
  }

  restore(record: JournalRecord): void {
    if (record.kind === 'effect.withheld') {
      const withheld = this.effects.findLast(({ sequence }) => sequence === record.sequence);
      if (withheld) withheld.answered = String(record.by);
    }
    if (record.kind !== 'effect') return;
    const effect = record.effect as Effect;
    this.sequence = Math.max(this.sequence, effect.sequence);
    this.keep(effect);
  }

  *snapshot(): Generator<JournalRecord> {
    for (const effect of this.effects) yield { kind: 'effect', effect };
  }

  /** Drops a tenth of the effects at a time, so that the cost per effect stays flat. */
  private keep(effect: Effect): void {
    this.effects.push(effect);
    const excess = this.effects.length - this.capacity;
    if (excess <= this.capacity / 10) return;
    this.effects.splice(0, excess);
    this.forgotten += excess;
  }
}

function matches(effect: Effect, filter: EffectFilter): boolean {
  return (
    (filter.network === undefined || effect.network === filter.network) &&
    (filter.kind === undefined || effect.kind === filter.kind) &&
    (filter.account === undefined || isAccount(effect, filter.account)) &&
    (filter.text === undefined || effect.text === filter.text) &&
    (filter.contains === undefined || (effect.text ?? '').includes(filter.contains)) &&
    (filter.since === undefined || effect.at >= filter.since) &&
    (filter.after === undefined || effect.sequence > filter.after)
  );
}

function isAccount(effect: Effect, name: string): boolean {
  return effect.account.id === name || effect.account.username.toLowerCase() === name.toLowerCase();
}
