import type { AiResult, ImagesResult } from '#libs/platform-client';
import {
  ImageIsInDoubt,
  ImageIsLimited,
  ImageIsRefused,
  ImageIsStillDrawn,
  ImageProvidersAreUnavailable,
  ImagesAreNotSetUp,
  NoWholeImageArrived,
} from './image.errors.js';

/** A problem of the gateway's idempotency keys: it says nothing about the picture, and ends by itself. */
const RUNNING = 'idempotent_request_running';

export const isStillRunning = (result: AiResult<ImagesResult>): boolean =>
  result.kind === 'limited' && result.code === RUNNING;

/** @throws what the outcome means to the caller, see image.errors.ts */
export function imageIn(result: AiResult<ImagesResult>): ImagesResult {
  switch (result.kind) {
    case 'answered':
      return result.value;
    case 'refused':
      throw new ImageIsRefused(result.code, result.detail);
    case 'limited':
      if (isStillRunning(result)) throw new ImageIsStillDrawn();
      throw new ImageIsLimited(result.code, result.detail, result.retryAfterMs);
    case 'misconfigured':
      throw new ImagesAreNotSetUp(result.code);
    case 'not-sent':
      throw new ImageProvidersAreUnavailable(result.reason);
    case 'no-answer':
      throw isOfProvider(result.reason) ? new NoWholeImageArrived(result.reason) : new ImageIsInDoubt();
  }
}

/** The gateway has answered, and says how its providers failed. */
const isOfProvider = (reason: string): boolean => /^provider_[a-z_]{1,60}$/.test(reason);
