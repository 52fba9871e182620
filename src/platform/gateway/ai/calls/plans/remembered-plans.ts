const MAX_PLANS = 2_000;
/** As JSON, in all. Most plans have some KiB; one with the most and longest secrets of all providers has about 1 MiB. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** Routers use many models; the prices of further ones are read when they are returned. */
const MAX_RETURNED = 8;
/** Names are text of the provider. PostgreSQL stores no NUL. */
const NAME = /^[\x21-\x7e]{1,200}$/;

interface Remembered<Row> {
  readonly row: Row | null;
  readonly returned: readonly string[];
  readonly characters: number;
}

/**
 * The plans that were read last, by what they were read for, with the models that providers returned for them. Outdated ones are
 * recognized by the reservation of an attempt. Bounded: the oldest are dropped first.
 */
export class RememberedPlans<Row> {
  private readonly plans = new Map<string, Remembered<Row>>();
  private characters = 0;

  rowOf(key: string): Row | null {
    return this.plans.get(key)?.row ?? null;
  }

  /** As provider/model, in order. */
  returnedOf(key: string): readonly string[] {
    return this.plans.get(key)?.returned ?? [];
  }

  /** @param row null: it must be read again */
  set(key: string, row: Row | null, returned = this.returnedOf(key)): void {
    this.forget(key);
    const characters = row === null ? 0 : JSON.stringify(row).length;
    this.plans.set(key, { row, returned, characters });
    this.characters += characters;
    for (const oldest of this.plans.keys()) {
      if (this.plans.size <= MAX_PLANS && this.characters <= MAX_CHARACTERS) return;
      this.forget(oldest);
    }
  }

  forget(key: string): void {
    this.characters -= this.plans.get(key)?.characters ?? 0;
    this.plans.delete(key);
  }

  /** The next plan has the prices of this model, as provider/model, too. */
  learnReturned(key: string, ref: string): void {
    const returned = this.returnedOf(key);
    if (returned.includes(ref) || returned.length >= MAX_RETURNED || !NAME.test(ref)) return;
    this.set(key, null, [...returned, ref].sort());
  }
}
