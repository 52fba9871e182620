import { hash, randomBytes } from 'node:crypto';
import { BoundedQueue, ExpiringMap } from '#libs/concurrency';

const TTL_MS = 5 * 60_000;

/**
 * Accepted credentials, for a time. It decides the priority of a lookup and never its result. It stores keyed hashes under a key of this
 * process.
 */
export class RecentlyAccepted {
  private readonly key = randomBytes(32).toString('base64');
  /** By hash. */
  private readonly accepted: ExpiringMap<true>;

  constructor(monotonic: () => number) {
    this.accepted = new ExpiringMap(TTL_MS, monotonic);
  }

  has(credential: string): boolean {
    return this.accepted.get(this.hash(credential)) ?? false;
  }

  add(credential: string): void {
    this.accepted.set(this.hash(credential), true);
  }

  remove(credential: string): void {
    this.accepted.delete(this.hash(credential));
  }

  /** One call takes a twentieth of the time of an HMAC. The result stays in this process, so no caller can extend what was hashed. */
  private hash(credential: string): string {
    return hash('sha256', this.key + credential, 'base64');
  }
}

interface Capacity {
  readonly concurrency: number;
  readonly waiting: number;
  /** Of one origin. */
  readonly waitingOfOne: number;
}

/** Enough for the busiest process measured; more connections only move the queue to identity's database. */
const ACCEPTED: Capacity = { concurrency: 64, waiting: 1_024, waitingOfOne: 1_024 };
/** Identity looks up forged credentials two at a time. This bounds the connections that wait for it. */
const OTHERS: Capacity = { concurrency: 32, waiting: 256, waitingOfOne: 64 };

export const CONNECTIONS = ACCEPTED.concurrency + OTHERS.concurrency;

/**
 * Bulkheads: recently accepted credentials have their own connections and queue. A flood of forged credentials does not delay
 * them. Other credentials take turns by the address that sent them, so that a flood from one address does not stop those of
 * another. The memory of this process selects the queue and never affects a response.
 */
export class Bulkheads {
  private readonly accepted = queueOf(ACCEPTED);
  private readonly others = queueOf(OTHERS);
  private readonly recent: RecentlyAccepted;

  constructor(monotonic: () => number) {
    this.recent = new RecentlyAccepted(monotonic);
  }

  /**
   * @param origin the address that sent the credential
   * @param request is told whether the credential was accepted recently
   * @throws Error at once when the queue is full
   */
  run<T>(credential: string, origin: string, request: (isRecent: boolean) => Promise<T>): Promise<T> {
    const isRecent = this.recent.has(credential);
    const queue = isRecent ? this.accepted : this.others;
    return queue.run({ name: origin }, () => request(isRecent));
  }

  recordResult(credential: string, isAccepted: boolean): void {
    if (isAccepted) this.recent.add(credential);
    else this.recent.remove(credential);
  }
}

function queueOf({ concurrency, waiting, waitingOfOne }: Capacity): BoundedQueue {
  const limits = { total: waiting, perOrigin: waitingOfOne, unknownTotal: waiting };
  const refusal = () =>
    new Error(`The queue for identity is full: ${concurrency} requests run and ${waiting} wait.`);
  return new BoundedQueue(concurrency, limits, refusal);
}
