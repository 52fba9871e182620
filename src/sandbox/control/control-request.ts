import type { Answer } from '../wire/answer.js';
import { json } from '../wire/answer.js';
import type { Call } from '../wire/call.js';
import type { Route } from '../wire/router.js';

/** A control request that cannot be meant: a test should fail on it rather than go on without its fault. */
export class ControlRequestIsInvalid extends Error {
  override name = 'ControlRequestIsInvalid';
}

/** The body, an empty one as `{}`. JSON only: a page of another origin cannot send that without asking first. */
export function controlBody(call: Call): Record<string, unknown> {
  if (call.body === '') return {};
  if (call.mediaType !== 'application/json') throw new ControlRequestIsInvalid('Send application/json.');
  const value = call.json?.value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ControlRequestIsInvalid('The body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}

/** A route of the control surface: what is wrong with a request is said in one sentence, with 400. */
export function controlRoute(method: Route['method'], path: string, handle: (call: Call) => Answer): Route {
  return {
    method,
    path,
    handle(call) {
      try {
        return handle(call);
      } catch (error) {
        if (error instanceof ControlRequestIsInvalid) return controlError(400, error.message);
        throw error;
      }
    },
  };
}

export const controlError = (status: number, error: string): Answer => json(status, { error });
