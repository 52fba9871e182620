import type { Response } from 'express';

const kept = new WeakMap<Response, Record<string, string>>();

/** Sets a header about how the request was served. Replays of the response by its Idempotency-Key have it too. */
export function setKeptHeader(response: Response, name: string, value: string): void {
  response.setHeader(name, value);
  kept.set(response, { ...kept.get(response), [name]: value });
}

export const keptHeadersOf = (response: Response): Readonly<Record<string, string>> =>
  kept.get(response) ?? {};
