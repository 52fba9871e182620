import { setTimeout as delay } from 'node:timers/promises';

/** The addresses of a replica. */
export interface Replica {
  readonly url: string;
  readonly managementUrl: string;
}

/** A readiness probe with the parameters of Kubernetes, scaled down. */
export interface Probe {
  readonly periodMs: number;
  /** Consecutive failures after which a replica gets no more requests. */
  readonly failureThreshold: number;
}

/** Sends requests in turn to the replicas that the readiness probe last found ready. */
export class ProbingBalancer {
  private readonly failures = new Map<Replica, number>();
  private turn = 0;
  private isOpen = true;
  private readonly probing: Promise<void>;

  constructor(private readonly probe: Probe) {
    this.probing = this.follow();
  }

  /** A new replica gets no requests before its first successful probe. */
  add(replica: Replica): void {
    this.failures.set(replica, Infinity);
  }

  get ready(): Replica[] {
    return [...this.failures]
      .filter(([, failures]) => failures < this.probe.failureThreshold)
      .map(([replica]) => replica);
  }

  /** @returns the status, or how the connection failed */
  async send(path: string): Promise<number | string> {
    const { ready } = this;
    const replica = ready[(this.turn += 1) % ready.length];
    if (!replica) return 'no replica is ready';
    try {
      const answer = await fetch(`${replica.url}${path}`);
      await answer.arrayBuffer();
      return answer.status;
    } catch (error) {
      return String((error as Error).cause ?? error);
    }
  }

  async close(): Promise<void> {
    this.isOpen = false;
    await this.probing;
  }

  private async follow(): Promise<void> {
    while (this.isOpen) {
      await Promise.all([...this.failures.keys()].map((replica) => this.ask(replica)));
      await delay(this.probe.periodMs);
    }
  }

  private async ask(replica: Replica): Promise<void> {
    const answer = await fetch(`${replica.managementUrl}/readyz`).catch(() => undefined);
    const failures = this.failures.get(replica) ?? Infinity;
    this.failures.set(replica, answer?.status === 200 ? 0 : failures + 1);
  }
}
