import { domainError } from '#libs/errors';

/** A limit, without its amounts: the caller may not be allowed to read them. */
export interface LimitWindow {
  readonly scopeType: 'platform' | 'organization' | 'application';
  readonly setBy: 'platform' | 'organization';
  readonly period: 'day' | 'month';
  readonly resetsAt: Date;
  readonly resetsInSeconds: number;
}

const membersOf = ({ scopeType, setBy, period, resetsAt }: LimitWindow) => ({
  scope: scopeType,
  setBy,
  window: period,
  resetsAt: resetsAt.toISOString(),
});

const nameOf = ({ scopeType, setBy, period }: LimitWindow) =>
  `${period === 'day' ? 'daily' : 'monthly'} spend limit of the ${scopeType}${scopeType !== 'platform' && setBy === 'platform' ? ' (set by the platform)' : ''}`;

/** What is left of a hard limit is less than the attempt may cost. No provider was called. */
export class SpendLimitIsReached extends domainError(
  'rate-limited',
  'spend_limit_reached',
  (window: LimitWindow) => ({
    detail: `The ${nameOf(window)} leaves less than this call may cost. Ask for less, wait until the limit is reset, or ask for a higher limit.`,
    retryAfterSeconds: Math.max(1, Math.ceil(window.resetsInSeconds)),
    members: membersOf(window),
  }),
) {}

/** The attempt may cost more than one reservation may take from a hard limit. No provider was called. */
export class SpendEstimateIsTooLarge extends domainError(
  'unprocessable',
  'spend_estimate_too_large',
  (window: LimitWindow) => ({
    detail: `The call may cost more than half of the ${nameOf(window)}. Ask for fewer tokens or images, send a shorter recording, choose a cheaper model, or ask for a higher limit.`,
    members: membersOf(window),
    isFinal: false,
  }),
) {}

/** A hard limit guards the attempt, and what it costs cannot be estimated. No provider was called. */
export class ModelHasNoPrice extends domainError(
  'unprocessable',
  'model_unpriced',
  (model: string, window: LimitWindow) => ({
    detail: `The model ${model} has no price, and the ${nameOf(window)} cannot guard what has no price. Choose a model with a price.`,
    members: membersOf(window),
    isFinal: false,
  }),
) {}
