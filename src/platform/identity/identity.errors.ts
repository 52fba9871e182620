import { DomainError } from '#libs/errors';

/** The same for a wrong password, an unknown address and a disabled account. */
export class SignInIsNotValid extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'sign_in_not_valid';

  constructor() {
    super('The email address or the password is not right.');
  }
}

/** Unknown, expired, used before or of a session that ended: never says which. */
export class RefreshTokenIsNotValid extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'refresh_token_not_valid';

  constructor() {
    super('Sign in again.');
  }
}

/** RFC 7009, section 2.2.1. */
export class TokenTypeIsNotSupported extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'unsupported_token_type';

  constructor() {
    super(
      'Only tokens of a session are revoked here. Rotate or disable the credential of an automation instead.',
    );
  }
}

export class EmailIsTaken extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'email_taken';

  constructor() {
    super('There is an account with this email address already. Sign in instead.');
  }
}

export class PasswordIsTooCommon extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'password_too_common';

  constructor(pointer: string) {
    super('This password is among the first that anybody would try. Choose another one.', {
      errors: [{ pointer, code: 'too_common', detail: 'is among the most used passwords' }],
    });
  }
}

export class SessionNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'session_not_found';

  constructor() {
    super('There is no such session.');
  }
}

export class MemberNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'member_not_found';

  constructor() {
    super('There is no such member.');
  }
}

export class UserNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'user_not_found';

  constructor() {
    super('There is no such user.');
  }
}

export class IsAMemberAlready extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'already_a_member';

  constructor() {
    super('This person is a member already.');
  }
}

export class TooManyOrganizations extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'too_many_organizations';

  constructor(made: number, joined: number) {
    super(
      `Nobody belongs to more than ${made} organizations of their own making and ${joined} others. Leave one first.`,
    );
  }
}

/** An organization without an owner could never be administered again. */
export class OrganizationNeedsAnOwner extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'last_owner';

  constructor() {
    super('The last owner cannot leave or become something else. Make another member an owner first.');
  }
}

/** The caller is a member, and so may know; the role does not reach. */
export class RoleIsNotEnough extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'role_not_enough';

  constructor(needed: string) {
    super(`This needs ${needed} of the organization, signed in as a person.`);
  }
}

/** The role would bring permissions that the caller does not have: nobody hands on what they do not have. */
export class RoleIsNotOffered extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'role_not_offered';

  constructor(permissions: readonly string[]) {
    super(`This role brings what is not yours to hand on: ${permissions.join(', ')}.`);
  }
}

/** Who is restricted could undo it. */
export class OverridesAreOnesOwn extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'own_overrides';

  constructor() {
    super('Nobody changes what they may do themselves. Another owner or admin of the organization can.');
  }
}

export class OnlyForPeople extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'not_a_person';

  constructor() {
    super(
      'This is for people. Automations have no sessions, own no organizations and see no members. Rotate or disable their credential instead.',
    );
  }
}

export class ServiceNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'service_not_found';

  constructor() {
    super('There is no such service.');
  }
}

/** Scopes outside of the service's catalog, and scopes the caller does not hold: nobody hands on what they do not have. */
export class ScopesAreNotOffered extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'scopes_not_offered';

  constructor(scopes: readonly string[]) {
    const detail = 'is not in the catalog of the service, or not yours to hand on';
    super(`These scopes cannot be given: ${scopes.join(', ')}.`, {
      errors: scopes.map((scope) => ({
        pointer: '#/scopes',
        code: 'scope_not_offered',
        detail: `${scope} ${detail}`,
      })),
    });
  }
}

export class ApiKeyNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'api_key_not_found';

  constructor() {
    super('There is no such API key.');
  }
}

export class TooManyApiKeys extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'too_many_api_keys';

  constructor(max: number) {
    super(`The organization has ${max} API keys in use, which is as many as it may. Revoke one first.`);
  }
}

export class ServicePrincipalNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'service_principal_not_found';

  constructor() {
    super('There is no such service principal.');
  }
}

export class TooManyServicePrincipals extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'too_many_service_principals';

  constructor(max: number) {
    super(
      `The organization has ${max} service principals in use, which is as many as it may. Disable one first.`,
    );
  }
}
