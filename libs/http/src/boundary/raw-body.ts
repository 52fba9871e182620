import type { Request } from 'express';

/** The bytes of a body exactly as they came, for signatures. Only of paths in `bodies.raw`; empty without a body. */
export const rawBodyOf = ({ body }: Request): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));
