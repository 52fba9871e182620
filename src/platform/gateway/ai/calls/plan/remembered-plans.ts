/** As JSON, in all. Most plans have some KiB; one with the most and longest secrets of all providers has about 1 MiB. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** What an entry takes besides its plan. */
const CHARACTERS_OF_ENTRY = 1_024;
/** Routers use many models; the prices of further ones are read when they are returned. */
const MAX_RETURNED = 8;
/** Names are text of the provider. PostgreSQL stores no NUL. */
const NAME = /^[\x21-\x7e]{1,200}$/;

const membersOfMaps = (_name: string, value: unknown): unknown => (value instanceof Map ? [...value] : value);

interface Remembered<Plan> {
  readonly plan: Plan | null;
  readonly returned: readonly string[];
  readonly characters: number;
}

/**
 * The plans that were read last, by what they were read for, with the models that providers returned for them. Outdated ones are
 * recognized by the reservation of an attempt. Bounded: the oldest are dropped first.
 */
export class RememberedPlans<Plan> {
  private readonly plans = new Map<string, Remembered<Plan>>();
  private characters = 0;

  planOf(key: string): Plan | null {
    return this.plans.get(key)?.plan ?? null;
  }

  /** As provider/model, in order. */
  returnedOf(key: string): readonly string[] {
    return this.plans.get(key)?.returned ?? [];
  }

  /** @param plan null: it must be read again */
  set(key: string, plan: Plan | null, returned: readonly string[]): void {
    this.forget(key);
    const characters = CHARACTERS_OF_ENTRY + JSON.stringify(plan, membersOfMaps).length;
    this.plans.set(key, { plan, returned, characters });
    this.characters += characters;
    for (const oldest of this.plans.keys()) {
      if (this.characters <= MAX_CHARACTERS) return;
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
