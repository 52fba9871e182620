import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request } from 'express';
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

/** The bytes of a body exactly as they came, for signatures. Only of paths in `bodies.raw`; empty without a body. */
export const rawBodyOf = ({ body }: Request): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/**
 * Sends a body of known length as fast as the client reads. Resolves when it is sent or when either side has failed; both are
 * closed then. A client detects missing bytes by Content-Length; no error can be sent any more.
 */
export async function sendStream(body: Readable, response: ServerResponse): Promise<void> {
  try {
    await pipeline(body, response);
  } catch {
    // `pipeline` leaves the body open when the client was gone before.
    body.destroy();
    response.destroy();
  }
}
