import { AsyncResource } from 'node:async_hooks';
import type { NextFunction, Request, Response } from 'express';
import { surfaceOf } from './surface.js';
import { Turns } from './turns.js';

/**
 * Begins the work of public requests in turn. After the bodies: a body that is read later is taken for empty when its client has closed
 * the connection meanwhile. Probes do not wait.
 */
export function takeTurns() {
  const turns = new Turns();
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (surfaceOf(request) === 'management') next();
    else turns.add(AsyncResource.bind(() => next()));
  };
}
