import { type AiResult, type ImagesResult, isStillRunning } from '#libs/platform-client';
import {
  ImageGatewayIsBusy,
  ImageIsInDoubt,
  ImageIsLimited,
  ImageIsRefused,
  ImageIsStillDrawn,
  ImageProvidersAreUnavailable,
  ImagesAreNotSetUp,
  NoWholeImageArrived,
} from '../image.errors.js';

/** More bytes than a picture of the media library may have. */
const TOO_LONG = 'ANSWER_TOO_LONG';
/** Limits of providers and of the organization’s spend. Others are of the gateway’s processes. */
const OF_THE_LIMITED = /^(provider|spend)_/;

/** The gateway says so after it has looked at its key: an earlier call with the key left no picture there. */
const AFTER_THE_KEY = /^(provider_|spend_|no_credential$|no_model_configured$)/;

/**
 * Whether the result says how the picture ended. Otherwise it may be drawn and paid for, or be drawn still.
 * @param isFirst no earlier call with the key can have reached the gateway
 */
export function isOutcome(
  result: AiResult<ImagesResult>,
  { isFirst }: { readonly isFirst: boolean },
): boolean {
  switch (result.kind) {
    case 'answered':
    case 'refused':
      return true;
    case 'no-answer':
      return isOfProvider(result.reason) || result.reason === TOO_LONG;
    case 'not-sent':
      return isFirst || AFTER_THE_KEY.test(result.reason);
    case 'limited':
    case 'misconfigured':
      return !isStillRunning(result) && (isFirst || AFTER_THE_KEY.test(result.code));
  }
}

/** No provider was paid: the gateway says what each attempt cost. What is in doubt may be paid. */
export const isUnpaid = (result: AiResult<ImagesResult>): boolean =>
  result.kind === 'not-sent' ||
  (result.kind !== 'answered' && result.kind !== 'no-answer' && !result.isBilled && !isStillRunning(result));

/** @throws what the outcome means to the caller, see image.errors.ts */
export function imageIn(result: AiResult<ImagesResult>): ImagesResult {
  switch (result.kind) {
    case 'answered':
      return result.value;
    case 'refused':
      throw new ImageIsRefused(result.code, result.detail);
    case 'limited':
      if (isStillRunning(result)) throw new ImageIsStillDrawn();
      if (!OF_THE_LIMITED.test(result.code)) throw new ImageGatewayIsBusy(result.retryAfterMs);
      throw new ImageIsLimited(result.code, result.detail, result.retryAfterMs);
    case 'misconfigured':
      throw new ImagesAreNotSetUp(result.code);
    case 'not-sent':
      throw new ImageProvidersAreUnavailable(result.reason);
    case 'no-answer':
      if (result.reason === TOO_LONG) throw new NoWholeImageArrived('image_too_large');
      throw isOfProvider(result.reason) ? new NoWholeImageArrived(result.reason) : new ImageIsInDoubt();
  }
}

/** The gateway has answered, and says how its providers failed. */
const isOfProvider = (reason: string): boolean => /^provider_[a-z_]{1,60}$/.test(reason);
