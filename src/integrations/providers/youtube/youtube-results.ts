import type { GatewayResult } from '#libs/platform-client';
import type { CommitResponse, PrepareResponse, Refusal } from '../../domain/provider-publishing.js';
import { unanswered, unreachable } from '../network-responses.js';
import {
  classifyRefusal,
  gatewayIsMisconfigured,
  isOfApi,
  quotaIsExhausted,
  uploadIsGone,
} from './youtube-errors.js';

export type Unanswered = Exclude<GatewayResult<never>, { readonly kind: 'answered' }>;

/** The refusal in a result of the gateway; null: the call was not answered. */
function refusalIn(result: Unanswered): Refusal | null {
  switch (result.kind) {
    case 'refused':
      return isOfApi(result) ? classifyRefusal(result) : null;
    case 'exhausted':
      return quotaIsExhausted(result.retryAfterMs);
    case 'gone':
      return uploadIsGone;
    case 'misconfigured':
      return gatewayIsMisconfigured(result.code);
    default:
      return null;
  }
}

/** The outcome of a step that publishes nothing: without an answer it is repeated. */
export function stepOutcome(result: Unanswered): PrepareResponse {
  const refusal = refusalIn(result);
  if (refusal) return { kind: 'refused', refusal };
  return { kind: 'no-answer', failure: unreachable('YouTube', reasonOf(result)) };
}

export function commitOutcome(result: Unanswered): CommitResponse {
  const refusal = refusalIn(result);
  if (refusal) return { kind: 'refused', refusal };
  if (result.kind === 'withheld') return { kind: 'abandoned' };
  const reason = reasonOf(result);
  if (result.kind === 'not-sent') return { kind: 'not-sent', failure: unreachable('YouTube', reason) };
  return { kind: 'unconfirmed', failure: unanswered('YouTube', reason) };
}

/** Whether the provider may not have seen the call: what ended it may be the file. */
export const isUnanswered = ({ kind }: Unanswered): boolean => kind === 'no-answer' || kind === 'not-sent';

const reasonOf = (result: Unanswered): string => ('reason' in result ? (result.reason ?? '') : result.kind);
