import type { FailureReport } from '#libs/content';
import { inDoubt } from '#libs/content';
import type { GatewayResult } from '#libs/platform-client';
import { NETWORK_UNREACHABLE } from '../../domain/network-state.js';
import type { CommitResponse, PrepareResponse, Refusal } from '../../domain/provider-publishing.js';
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
  return { kind: 'no-answer', failure: unreachable(reasonOf(result)) };
}

/** The outcome of the call that publishes. */
export function commitOutcome(result: Unanswered): CommitResponse {
  const refusal = refusalIn(result);
  if (refusal) return { kind: 'refused', refusal };
  if (result.kind === 'withheld') return { kind: 'abandoned' };
  const reason = reasonOf(result);
  if (result.kind === 'not-sent') return { kind: 'not-sent', failure: unreachable(reason) };
  return { kind: 'unconfirmed', failure: inDoubt(SENT, reason) };
}

/** Whether the provider may not have seen the call: what ended it may be the file. */
export const isUnanswered = ({ kind }: Unanswered): boolean => kind === 'no-answer' || kind === 'not-sent';

const SENT = 'The post was sent to YouTube, but no readable response came back. It may be live.';

const reasonOf = (result: Unanswered): string => ('reason' in result ? (result.reason ?? '') : result.kind);

const unreachable = (networkCode: string): FailureReport => ({
  code: NETWORK_UNREACHABLE,
  class: 'transient',
  networkCode,
  message: 'YouTube could not be reached; nothing was sent.',
  nextStep: 'Retry in some minutes.',
});
