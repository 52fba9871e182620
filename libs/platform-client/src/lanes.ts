import { BoundedQueue } from '#libs/concurrency';
import { AcceptedLately } from './accepted-lately.js';

/** Enough for the busiest process measured; more connections only move the queue to identity's database. */
const OF_ACCEPTED = { atOnce: 64, waiting: 1_024 };
/** Identity looks forged credentials up two at a time; what waits for that holds no more connections than these. */
const OF_OTHERS = { atOnce: 32, waiting: 256 };

export const CONNECTIONS = OF_ACCEPTED.atOnce + OF_OTHERS.atOnce;

/**
 * The lines in which questions wait for a connection. Credentials that identity accepted lately have a line of their own, so
 * that a flood of forged ones makes nobody wait who was accepted before. Who waits where depends on this process's memory;
 * the answers do not.
 */
export class Lanes {
  private readonly accepted = laneOf(OF_ACCEPTED);
  private readonly others = laneOf(OF_OTHERS);
  private readonly lately: AcceptedLately;

  constructor(monotonic: () => number) {
    this.lately = new AcceptedLately(monotonic);
  }

  /** @throws Error at once when no place to wait is free */
  run<T>(credential: string, ask: () => Promise<T>): Promise<T> {
    const lane = this.lately.has(credential) ? this.accepted : this.others;
    return lane.run(ANYBODY, ask);
  }

  /** Says how identity judged the credential just now. */
  note(credential: string, isAccepted: boolean): void {
    if (isAccepted) this.lately.add(credential);
    else this.lately.remove(credential);
  }
}

const ANYBODY = { name: 'anybody' } as const;

function laneOf({ atOnce, waiting }: typeof OF_OTHERS): BoundedQueue {
  const limits = { ofAll: waiting, ofOne: waiting, ofUnknown: waiting };
  const refusal = () => new Error(`${atOnce} questions to identity are open and ${waiting} wait for these.`);
  return new BoundedQueue(atOnce, limits, refusal);
}
