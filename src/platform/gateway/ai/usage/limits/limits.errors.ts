import { domainError } from '#libs/errors';
import type { Period, SpendScope } from '../spend/spend-limit.js';

export class SpendLimitExists extends domainError(
  'conflict',
  'spend_limit_exists',
  ({ scopeType, setBy }: SpendScope, period: Period) => ({
    detail: `The ${scopeType} has a limit per ${period} already, set by the ${setBy}. Change that one.`,
    isFinal: false,
  }),
) {}

export class TooManySpendLimits extends domainError('conflict', 'too_many_spend_limits', (limit: number) => ({
  detail: `There are ${limit} limits of spend already. Delete one of them first.`,
  isFinal: false,
})) {}

/** The limit does not exist, or is not the caller's: both give the same response. */
export class SpendLimitNotFound extends domainError(
  'not-found',
  'spend_limit_not_found',
  'The limit does not exist, or you have no access to it. List the limits.',
) {}

/** The organization can see the limit. */
export class SpendLimitIsOfPlatform extends domainError(
  'forbidden',
  'spend_limit_of_platform',
  'The platform set this limit, and only its administrators change or delete it. Ask one of them, or set a limit of the organization.',
) {}

const scopeValueIsUnknown = { pointer: '#/scopeValue', code: 'unknown', detail: 'must exist at identity' };

export class LimitedOrganizationIsUnknown extends domainError('unprocessable', 'organization_unknown', {
  detail: 'Identity knows no organization with this identifier. Send that of an organization.',
  errors: [scopeValueIsUnknown],
  isFinal: false,
}) {}

export class LimitedApplicationIsUnknown extends domainError('unprocessable', 'application_unknown', {
  detail: 'Identity knows no application with this identifier. Send its registered identifier.',
  errors: [scopeValueIsUnknown],
  isFinal: false,
}) {}

export class HardLimitOptionsAreForOwners extends domainError(
  'forbidden',
  'owner_or_super_admin_required',
  'Options of hard limits are for owners of the organization and for platform_super_admin. Ask one of them.',
) {}
