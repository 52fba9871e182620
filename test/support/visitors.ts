import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Call, Method } from './call.js';

export interface Visit {
  readonly method: Method;
  readonly path: string;
  readonly body?: () => object;
  readonly headers?: () => Record<string, string>;
}

/** What one request was answered with, and when. */
export interface Met {
  readonly what: string;
  readonly at: number;
  readonly ms: number;
  /** Undefined when the connection broke without an answer. */
  readonly answer?: Answer;
}

/** Clients that go on asking, whatever they are answered, until they are told to stop. */
export class Visitors {
  readonly met: Met[] = [];
  private readonly running: Promise<void>[] = [];
  private over = false;

  /** One more client: these requests in a circle, `everyMs` apart. */
  send(name: string, call: Call, visits: readonly Visit[], everyMs = 60): void {
    this.running.push(this.circle(name, call, visits, everyMs));
  }

  async leave(): Promise<void> {
    this.over = true;
    await Promise.all(this.running);
  }

  /** Answers to requests sent within a span of `performance.now()`. */
  between(from: number, to: number): Met[] {
    return this.met.filter(({ at }) => at >= from && at < to);
  }

  private async circle(name: string, call: Call, visits: readonly Visit[], everyMs: number): Promise<void> {
    for (let turn = 0; !this.over; turn += 1) {
      const visit = visits[turn % visits.length] as Visit;
      this.met.push(await meet(name, call, visit));
      await pause(everyMs);
    }
  }
}

async function meet(name: string, call: Call, { method, path, body, headers }: Visit): Promise<Met> {
  const at = performance.now();
  const what = `${name}: ${method} ${path}`;
  const answer = await call(method, path, body?.(), headers?.()).catch(() => undefined);
  return { what, at, ms: performance.now() - at, answer };
}
