import { DomainError } from '#libs/errors';
import type { Period, ScopeType } from './spend-limit.js';

export class SpendLimitExists extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'spend_limit_exists';

  constructor(scopeType: ScopeType, period: Period) {
    super(`The ${scopeType} has a limit per ${period} already. Change that one.`);
  }
}

export class TooManySpendLimits extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'too_many_spend_limits';
  override readonly isFinal = false;

  constructor(limit: number) {
    super(`There are ${limit} limits of spend already. Delete one of them first.`);
  }
}

/** The limit does not exist, or is not the caller's: both give the same response. */
export class SpendLimitNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'spend_limit_not_found';

  constructor() {
    super('The limit does not exist, or you have no access to it. List the limits.');
  }
}

export class HardLimitOptionsAreForOwners extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'owner_or_super_admin_required';

  constructor() {
    super(
      'Options of hard limits are for owners of the organization and for platform_super_admin. Ask one of them.',
    );
  }
}
