import { domainError } from '#libs/errors';

/** The caller may change the brand, but only an owner of its organization may transfer it. */
export class OwnerRoleIsMissing extends domainError(
  'forbidden',
  'owner_required',
  'This needs the role owner in the organization that the brand belongs to. Ask an owner of it.',
) {}
