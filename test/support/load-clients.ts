import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse, Call, Method } from './call.js';

export interface LoadRequest {
  readonly method: Method;
  readonly path: string;
  readonly body?: () => object;
  readonly headers?: () => Record<string, string>;
}

/** The response to one request and its times. */
export interface Outcome {
  readonly what: string;
  readonly at: number;
  readonly ms: number;
  /** Undefined when the connection broke without a response. */
  readonly answer?: ApiResponse;
}

/** Clients that repeat their requests, independent of the responses, until `leave`. */
export class LoadClients {
  readonly met: Outcome[] = [];
  private readonly running: Promise<void>[] = [];
  private over = false;

  /** Adds a client that repeats these requests every `everyMs`. */
  send(name: string, call: Call, visits: readonly LoadRequest[], everyMs = 60): void {
    this.running.push(this.circle(name, call, visits, everyMs));
  }

  async leave(): Promise<void> {
    this.over = true;
    await Promise.all(this.running);
  }

  /** Outcomes of requests sent within a span of `performance.now()`. */
  between(from: number, to: number): Outcome[] {
    return this.met.filter(({ at }) => at >= from && at < to);
  }

  private async circle(
    name: string,
    call: Call,
    visits: readonly LoadRequest[],
    everyMs: number,
  ): Promise<void> {
    for (let turn = 0; !this.over; turn += 1) {
      const visit = visits[turn % visits.length] as LoadRequest;
      this.met.push(await meet(name, call, visit));
      await pause(everyMs);
    }
  }
}

async function meet(
  name: string,
  call: Call,
  { method, path, body, headers }: LoadRequest,
): Promise<Outcome> {
  const at = performance.now();
  const what = `${name}: ${method} ${path}`;
  const answer = await call(method, path, body?.(), headers?.()).catch(() => undefined);
  return { what, at, ms: performance.now() - at, answer };
}
