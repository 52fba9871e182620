/** Answers of one route of a network with one status. */
export interface AnsweredCalls {
  readonly network: string;
  /** Such as `POST /2/tweets`. */
  readonly route: string;
  readonly status: number;
  readonly count: number;
}

/** Calls of one route whose client closed the connection before it had the whole response. */
export interface LeftCalls {
  readonly network: string;
  readonly route: string;
  readonly count: number;
}

/** Counts what networks answered, whether or not the client received it; so that a run can tell that no call was refused. */
export class CallCounter {
  private readonly counts = new Map<string, AnsweredCalls>();
  private readonly lefts = new Map<string, LeftCalls>();

  count(network: string, route: string, status: number): void {
    const key = `${network} ${status} ${route}`;
    const { count = 0 } = this.counts.get(key) ?? {};
    this.counts.set(key, { network, route, status, count: count + 1 });
  }

  countLeft(network: string, route: string): void {
    const key = `${network} ${route}`;
    const { count = 0 } = this.lefts.get(key) ?? {};
    this.lefts.set(key, { network, route, count: count + 1 });
  }

  listLeft(): readonly LeftCalls[] {
    return [...this.lefts.values()];
  }

  list(): readonly AnsweredCalls[] {
    return [...this.counts.values()];
  }

  clear(): void {
    this.counts.clear();
    this.lefts.clear();
  }
}
