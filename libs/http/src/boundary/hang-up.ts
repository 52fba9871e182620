import type { ServerResponse } from 'node:http';
import { HttpProblem } from '../problems/problem.js';

/** Nobody waits for the answer any more: no fault, and nothing that a repetition is to be told. 499 is what proxies call it. */
export class ClientHungUp extends HttpProblem {
  constructor() {
    super({
      status: 499,
      code: 'client_hung_up',
      title: 'Client hung up',
      detail: 'The client closed the connection.',
    });
  }
}

/** Aborts with ClientHungUp when the connection is gone before the answer is complete. */
export function hangUpOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new ClientHungUp());
  });
  return controller.signal;
}
