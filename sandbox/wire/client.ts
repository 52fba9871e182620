import type { ServerResponse } from 'node:http';

/** The client of a call: whether it closed its connection before it had the whole response. */
export class Client {
  private controller?: AbortController;

  constructor(
    /** Without one, the client never leaves. */
    private readonly response?: ServerResponse,
  ) {}

  get hasLeft(): boolean {
    return this.response !== undefined && this.response.closed && !this.response.writableFinished;
  }

  /** Aborted when the client leaves. Created on demand: most calls are answered at once. */
  get signal(): AbortSignal {
    if (this.controller) return this.controller.signal;
    const controller = (this.controller = new AbortController());
    if (this.hasLeft) controller.abort();
    else this.response?.once('close', () => this.hasLeft && controller.abort());
    return controller.signal;
  }
}
