import { AsyncResource } from 'node:async_hooks';
import type { NextFunction, Request, Response } from 'express';
import { listenerOf } from './listener.js';

/**
 * Begins the work of public requests in the order of their arrival, one in each turn of the event loop. After the bodies: a body that
 * is read later is taken for empty when its client has closed the connection meanwhile. Probes do not wait.
 *
 * Requests that arrive together would otherwise all take their first step before any takes its second, and so on: each waits for all others
 * at every step, and callers that repeat their calls stay together. Here those that have begun go first, at most one turn apart.
 */
export function oneRequestPerTick() {
  const queue = new OnePerTick();
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (listenerOf(request) === 'management') next();
    else queue.add(AsyncResource.bind(() => next()));
  };
}

export class OnePerTick {
  private readonly waiting: (() => void)[] = [];

  /** @param work runs outside of the caller's async context. What it throws is an uncaught exception. */
  add(work: () => void): void {
    this.waiting.push(work);
    if (this.waiting.length === 1) setImmediate(this.next);
  }

  private readonly next = (): void => {
    const work = this.waiting.shift();
    if (this.waiting.length > 0) setImmediate(this.next);
    work?.();
  };
}
