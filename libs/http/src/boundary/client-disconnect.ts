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

/** Aborts with ClientClosedRequest when the connection closes before the response is complete; at once when it is closed already. */
export function abortOnDisconnect(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!response.writableFinished) controller.abort(new ClientClosedRequest());
  };
  // The event does not come again for a client that left before, such as during its authentication.
  if (response.closed) abort();
  else response.once('close', abort);
  return controller.signal;
}
