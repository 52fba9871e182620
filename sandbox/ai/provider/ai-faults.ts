import type { AiFault } from './ai-fault.js';
import type { Ability } from './models.js';

export interface FaultableAiCall {
  readonly provider: string;
  readonly model: string;
  /** Id and label. */
  readonly key: readonly string[];
  readonly ability: Ability;
}

export interface SwitchedAiFault {
  readonly id: number;
  readonly fault: AiFault;
  hits: number;
}

/** The faults of AI providers that are switched on. The first that matches applies to a call. */
export class AiFaults {
  private faults: SwitchedAiFault[] = [];
  private lastId = 0;

  add(fault: AiFault): SwitchedAiFault {
    const switched = { id: ++this.lastId, fault, hits: 0 };
    this.faults.push(switched);
    return switched;
  }

  list(): readonly SwitchedAiFault[] {
    return this.faults;
  }

  remove(id: number): boolean {
    const before = this.faults.length;
    this.faults = this.faults.filter((switched) => switched.id !== id);
    return this.faults.length < before;
  }

  clear(): void {
    this.faults = [];
  }

  /** Counts the hit. An exhausted fault stays listed. */
  next(call: FaultableAiCall): AiFault | undefined {
    const switched = this.faults.find(
      ({ fault, hits }) => (fault.times === undefined || hits < fault.times) && applies(fault, call),
    );
    if (!switched) return undefined;
    switched.hits += 1;
    return switched.fault;
  }
}

const applies = (fault: AiFault, { provider, model, key, ability }: FaultableAiCall): boolean =>
  (fault.provider === undefined || fault.provider === provider) &&
  (fault.model === undefined || fault.model === model) &&
  (fault.key === undefined || key.includes(fault.key)) &&
  (fault.ability === undefined || fault.ability === ability);
