/** Answers of one route of a network with one status. */
export interface AnsweredCalls {
  readonly network: string;
  /** Such as `POST /2/tweets`. */
  readonly route: string;
  readonly status: number;
  readonly count: number;
}

/** Counts what networks answered, whether or not the client received it; so that a run can tell that no call was refused. */
export class CallCounter {
  private readonly counts = new Map<string, AnsweredCalls>();

  count(network: string, route: string, status: number): void {
    const key = `${network} ${status} ${route}`;
    const { count = 0 } = this.counts.get(key) ?? {};
    this.counts.set(key, { network, route, status, count: count + 1 });
  }

  list(): readonly AnsweredCalls[] {
    return [...this.counts.values()];
  }

  clear(): void {
    this.counts.clear();
  }
}
