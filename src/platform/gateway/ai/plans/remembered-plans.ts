/** Plans are some KiB each. */
const MAX_PLANS = 2_000;
/** Routers use many models; the prices of further ones are read when they are returned. */
const MAX_RETURNED = 8;
/** Names are text of the provider. PostgreSQL stores no NUL. */
const NAME = /^[\x21-\x7e]{1,200}$/;

interface Remembered<Row> {
  readonly row: Row | null;
  readonly returned: readonly string[];
}

/**
 * The plans that were read last, by what they were read for, with the models that providers returned for them. Outdated ones are
 * recognized by the reservation of an attempt. Bounded: the oldest are dropped first.
 */
export class RememberedPlans<Row> {
  private readonly plans = new Map<string, Remembered<Row>>();

  rowOf(key: string): Row | null {
    return this.plans.get(key)?.row ?? null;
  }

  /** As provider/model, in order. */
  returnedOf(key: string): readonly string[] {
    return this.plans.get(key)?.returned ?? [];
  }

  /** @param row null: it must be read again */
  set(key: string, row: Row | null, returned = this.returnedOf(key)): void {
    this.plans.delete(key);
    this.plans.set(key, { row, returned });
    if (this.plans.size <= MAX_PLANS) return;
    const oldest = this.plans.keys().next().value;
    if (oldest !== undefined) this.plans.delete(oldest);
  }

  /** The next plan has the prices of this model, as provider/model, too. */
  learnReturned(key: string, ref: string): void {
    const returned = this.returnedOf(key);
    if (returned.includes(ref) || returned.length >= MAX_RETURNED || !NAME.test(ref)) return;
    this.set(key, null, [...returned, ref].sort());
  }
}
