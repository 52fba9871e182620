import type { IncomingMessage } from 'node:http';

const RAW = Symbol('raw body');

type Kept = IncomingMessage & { [RAW]?: Buffer };

export function keepRawBody(request: IncomingMessage, body: Buffer): void {
  (request as Kept)[RAW] = body;
}

/** The bytes of a JSON body exactly as they came, for signatures. Only of paths in `bodies.raw`; empty without a body. */
export const rawBodyOf = (request: IncomingMessage): Buffer => (request as Kept)[RAW] ?? Buffer.alloc(0);
