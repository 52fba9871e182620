import type { ServerResponse } from 'node:http';
import { HttpProblem } from '../problems/problem.js';

/** The client closed the connection before the response. Not stored for repetitions. 499 is the status that proxies log. */
export class ClientClosedRequest extends HttpProblem {
  constructor() {
    super({
      status: 499,
      code: 'client_hung_up',
      title: 'Client hung up',
      detail: 'The client closed the connection.',
    });
  }
}

/** Aborts with ClientClosedRequest when the connection closes before the response is complete. */
export function abortOnDisconnect(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new ClientClosedRequest());
  });
  return controller.signal;
}
