import type { IncomingMessage } from 'node:http';
import { ClientClosedRequest } from './client-disconnect.js';
import { parseBody } from './parse-json.js';
import { ValueCounter } from './value-counter.js';

const LARGE = Symbol('large JSON');
const BYTES = Symbol('bytes of JSON');

type Marked = IncomingMessage & { [LARGE]?: number; [BYTES]?: number };

/** Leaves the body for the route. @param bytes as the request declares them */
export function markLargeJson(request: IncomingMessage, bytes: number): void {
  (request as Marked)[LARGE] = bytes;
}

/** Of a body that was read. @param bytes after decompression */
export function noteJsonBytes(request: IncomingMessage, bytes: number): void {
  (request as Marked)[BYTES] = bytes;
}

/** The bytes of a JSON body, read or left for the route; 0: there is none. */
export const jsonBytesOf = (request: IncomingMessage): number =>
  largeJsonOf(request) ?? (request as Marked)[BYTES] ?? 0;

/** The declared bytes of a JSON body that the route must read with `receiveLargeJson`; null: it was read already. */
export const largeJsonOf = (request: IncomingMessage): number | null => (request as Marked)[LARGE] ?? null;

/**
 * Reads a body that `bodies.large` left for the route. Node ends it at the declared length. It must arrive within the time limit of usual
 * bodies.
 * @throws HttpProblem 400, RequestIsNotValid, ClientClosedRequest
 */
export async function receiveLargeJson(request: IncomingMessage): Promise<unknown> {
  return parseBody(await received(request));
}

async function received(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const values = new ValueCounter();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const take = (chunk: Buffer) => {
    try {
      values.add(chunk);
      chunks.push(chunk);
    } catch (error) {
      reject(error);
    }
  };
  const cut = () => reject(new ClientClosedRequest());
  request.on('data', take).once('end', resolve).once('close', cut).once('error', cut);
  try {
    await promise;
    return Buffer.concat(chunks);
  } finally {
    // What is left of a refused body is discarded when the response is sent.
    request.off('data', take).off('end', resolve).off('close', cut).pause();
  }
}
