import { DomainError } from '#libs/errors';
import type { Period, SpendScope } from '../spend/spend-limit.js';

export class SpendLimitExists extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'spend_limit_exists';
  override readonly isFinal = false;

  constructor({ scopeType, setBy }: SpendScope, period: Period) {
    super(`The ${scopeType} has a limit per ${period} already, set by the ${setBy}. Change that one.`);
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

/** The organization can see the limit. */
export class SpendLimitIsOfPlatform extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'spend_limit_of_platform';

  constructor() {
    super(
      'The platform set this limit, and only its administrators change or delete it. Ask one of them, or set a limit of the organization.',
    );
  }
}

const scopeValueIsUnknown = { pointer: '#/scopeValue', code: 'unknown', detail: 'must exist at identity' };

export class LimitedOrganizationIsUnknown extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'organization_unknown';
  override readonly isFinal = false;

  constructor() {
    super('Identity knows no organization with this identifier. Send that of an organization.', {
      errors: [scopeValueIsUnknown],
    });
  }
}

export class LimitedApplicationIsUnknown extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'application_unknown';
  override readonly isFinal = false;

  constructor() {
    super('Identity knows no application with this identifier. Send its registered identifier.', {
      errors: [scopeValueIsUnknown],
    });
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
