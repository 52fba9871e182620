import type { OutboundResponse } from '#libs/outbound-http';
import { NetworkIsUnavailable } from '../../domain/integration.errors.js';
import type { Answered } from '../oauth/token-responses.js';
import { signInRefusal } from '../oauth/token-responses.js';
import { memberOf } from '../values.js';
import type { GraphError } from './graph-errors.js';
import { isGraphError, readGraphError } from './graph-errors.js';
import { isInDoubt, isThrottled } from './graph-refusals.js';

/** Why a code or a token was not exchanged. */
export function graphSignInRefusal(
  displayName: string,
  response: OutboundResponse,
  refusesClient: (error: GraphError, body: unknown) => boolean,
): Error {
  if (response.kind !== 'answered' || !isSignInError(response)) return new NetworkIsUnavailable(displayName);
  if (response.status >= 500 || response.status < 400) return new NetworkIsUnavailable(displayName);
  const error = readGraphError(response.status, response.body);
  const ofClient = refusesClient(error, response.body);
  return signInRefusal({ displayName }, { ofClient, isRefused: !isThrottled(error) && !isInDoubt(error) });
}

/** Instagram and Threads refuse a code with `{error_type, code, error_message}`. */
const isSignInError = (response: Answered): boolean =>
  isGraphError(response) || typeof memberOf(response.body, 'error_message') === 'string';
