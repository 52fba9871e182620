import { DomainError } from '#libs/errors';
import type { Period, ScopeType } from './spend-limit.js';

export class SpendLimitExists extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'spend_limit_exists';

  constructor(scopeType: ScopeType, period: Period) {
    super(`The ${scopeType} has a limit per ${period} already. Change that one.`);
  }
}
