import { DomainError } from '#libs/errors';

/** The same error for a wrong password, an unknown address and a disabled account. */
export class SignInIsNotValid extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'sign_in_not_valid';

  constructor() {
    super('The email address or the password is wrong.');
  }
}

/** Unknown, expired, used before, or of an ended session. The response does not disclose the reason. */
export class RefreshTokenIsNotValid extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'refresh_token_not_valid';

  constructor() {
    super('The refresh token is not valid. Sign in again.');
  }
}

/** RFC 7009, section 2.2.1. */
export class TokenTypeIsNotSupported extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'unsupported_token_type';

  constructor() {
    super(
      'This route revokes only tokens of a session. Rotate or disable the credential of an automation instead.',
    );
  }
}

export class EmailIsTaken extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'email_taken';

  constructor() {
    super('An account with this email address already exists. Sign in instead.');
  }
}

export class PasswordIsTooCommon extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'password_too_common';

  constructor(pointer: string) {
    super('This password is easy to guess. Choose another one.', {
      errors: [{ pointer, code: 'too_common', detail: 'is among the most used passwords' }],
    });
  }
}

export class SessionNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'session_not_found';

  constructor() {
    super('The session does not exist, or you have no access to it. Check its id.');
  }
}

export class MemberNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'member_not_found';

  constructor() {
    super('The member does not exist, or you have no access to it. Check its id.');
  }
}

export class UserNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'user_not_found';

  constructor() {
    super('The user does not exist, or you have no access to it. Check its id.');
  }
}

export class AlreadyMember extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'already_a_member';

  constructor() {
    super('This person is already a member.');
  }
}

export class TooManyOrganizations extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'too_many_organizations';

  constructor(made: number, joined: number) {
    super(
      `A person can belong to ${made} organizations that they created and to ${joined} others. Leave one first.`,
    );
  }
}

/** No one could administer an organization without an owner. */
export class OrganizationNeedsAnOwner extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'last_owner';

  constructor() {
    super('The last owner cannot leave or take another role. Make another member an owner first.');
  }
}

/** Forbidden and not 404: a member may know that the organization exists. */
export class RoleIsInsufficient extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'role_not_enough';

  constructor(needed: string) {
    super(`This requires ${needed} of the organization, signed in as a person.`);
  }
}

/** The role includes permissions that the caller does not have. Callers can grant only their own permissions. */
export class RoleIsNotOffered extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'role_not_offered';

  constructor(permissions: readonly string[]) {
    super(`This role includes permissions that you do not have and cannot grant: ${permissions.join(', ')}.`);
  }
}

/** Otherwise a restricted member could remove the restriction. */
export class OwnOverridesAreFixed extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'own_overrides';

  constructor() {
    super('You cannot change your own permissions. Ask another owner or admin of the organization.');
  }
}

export class CallerIsNotPerson extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'not_a_person';

  constructor() {
    super(
      'Only people can do this. Automations have no sessions, own no organizations and see no members. Rotate or disable their credential instead.',
    );
  }
}

export class ServiceNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'service_not_found';

  constructor() {
    super('The service does not exist. Check its slug.');
  }
}

/** Scopes that are not in the catalog of the service, or that the caller does not have and cannot grant. */
export class ScopesAreNotOffered extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'scopes_not_offered';

  constructor(scopes: readonly string[]) {
    const detail = 'is not in the catalog of the service, or you do not have it';
    super(`These scopes cannot be granted: ${scopes.join(', ')}.`, {
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
    super('The API key does not exist, or you have no access to it. Check its id.');
  }
}

export class TooManyApiKeys extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'too_many_api_keys';

  constructor(max: number) {
    super(`The organization has ${max} active API keys, which is the maximum. Revoke one first.`);
  }
}

export class ServicePrincipalNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'service_principal_not_found';

  constructor() {
    super('The service principal does not exist, or you have no access to it. Check its id.');
  }
}

export class TooManyServicePrincipals extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'too_many_service_principals';

  constructor(max: number) {
    super(`The organization has ${max} active service principals, which is the maximum. Disable one first.`);
  }
}
