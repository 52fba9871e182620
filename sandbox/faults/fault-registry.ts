import type { AccountName } from '../ledger/effect.js';
import type { Fault, FaultTarget } from './fault.js';
import { seededRandom } from './random.js';

export interface FaultableCall {
  readonly network: string;
  readonly host: string;
  readonly route: string;
  readonly account: AccountName | undefined;
  /** Undefined on arrival, when the body has not been read. */
  readonly text?: string;
}

/** The faults of one call. */
export interface Disturbance {
  readonly delayBeforeMs: number;
  readonly delayAfterMs: number;
  readonly outcome?: Fault;
}

export interface SwitchedFault {
  readonly id: number;
  readonly fault: Fault;
  hits: number;
}

interface Switched extends SwitchedFault {
  readonly draw: () => number;
}

/** The faults that are switched on, in the order they were. */
export class FaultRegistry {
  private faults: Switched[] = [];
  private lastId = 0;

  get isQuiet(): boolean {
    return this.faults.length === 0;
  }

  add(fault: Fault): SwitchedFault {
    const switched = { id: ++this.lastId, fault, hits: 0, draw: seededRandom(fault.seed) };
    this.faults.push(switched);
    return switched;
  }

  list(): readonly SwitchedFault[] {
    return this.faults.map(({ id, fault, hits }) => ({ id, fault, hits }));
  }

  remove(id: number): boolean {
    const before = this.faults.length;
    this.faults = this.faults.filter((switched) => switched.id !== id);
    return this.faults.length < before;
  }

  clear(): void {
    this.faults = [];
  }

  /** Whether the connection is to be dropped before anything is read. */
  dropsOnArrival(call: FaultableCall): boolean {
    return this.faults.some(
      (switched) => switched.fault.kind === 'drop-on-arrival' && this.hit(switched, call),
    );
  }

  /** Delays add up. Only the first matching outcome applies; others apply to later calls. */
  disturb(call: FaultableCall): Disturbance | undefined {
    let [delayBeforeMs, delayAfterMs] = [0, 0];
    let outcome: Fault | undefined;
    for (const switched of this.faults) {
      const { kind, delayMs } = switched.fault;
      const isDelay = kind === 'delay-before-effect' || kind === 'delay-after-effect';
      if (kind === 'drop-on-arrival' || (outcome && !isDelay) || !this.hit(switched, call)) continue;
      if (kind === 'delay-before-effect') delayBeforeMs += delayMs;
      else if (kind === 'delay-after-effect') delayAfterMs += delayMs;
      else outcome = switched.fault;
    }
    if (!outcome && delayBeforeMs === 0 && delayAfterMs === 0) return undefined;
    return { delayBeforeMs, delayAfterMs, outcome };
  }

  /** Counts the hit. An exhausted fault stays listed, so that its hits can be read. */
  private hit(switched: Switched, call: FaultableCall): boolean {
    const { fault } = switched;
    if (fault.times !== undefined && switched.hits >= fault.times) return false;
    if (!applies(fault, call)) return false;
    if (fault.probability < 1 && switched.draw() >= fault.probability) return false;
    switched.hits += 1;
    return true;
  }
}

export function applies(target: FaultTarget, call: FaultableCall): boolean {
  const { network, host, route, account, textContains } = target;
  return (
    (network === undefined || network === call.network) &&
    (host === undefined || host === call.host) &&
    (route === undefined || route === call.route) &&
    (account === undefined || isNamed(call.account, account)) &&
    (textContains === undefined || (call.text ?? '').includes(textContains))
  );
}

function isNamed(account: AccountName | undefined, name: string): boolean {
  return account?.id === name || account?.username.toLowerCase() === name.toLowerCase();
}
