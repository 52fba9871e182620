import { domainError } from '#libs/errors';

/** The same error for a wrong password, an unknown address and a disabled account. */
export class SignInIsNotValid extends domainError(
  'unauthenticated',
  'sign_in_not_valid',
  'The email address or the password is wrong.',
) {}

/** Unknown, expired, used before, or of an ended session. The response does not disclose the reason. */
export class RefreshTokenIsNotValid extends domainError(
  'unauthenticated',
  'refresh_token_not_valid',
  'The refresh token is not valid. Sign in again.',
) {}

/** RFC 7009, section 2.2.1. */
export class TokenTypeIsNotSupported extends domainError(
  'invalid',
  'unsupported_token_type',
  'This route revokes only tokens of a session. Rotate or disable the credential of an automation instead.',
) {}

export class EmailIsTaken extends domainError(
  'conflict',
  'email_taken',
  'An account with this email address already exists. Sign in instead.',
) {}

export class PasswordIsTooCommon extends domainError('invalid', 'password_too_common', (pointer: string) => ({
  detail: 'This password is easy to guess. Choose another one.',
  errors: [{ pointer, code: 'too_common', detail: 'is among the most used passwords' }],
})) {}

export class SessionNotFound extends domainError(
  'not-found',
  'session_not_found',
  'The session does not exist, or you have no access to it. Check its id.',
) {}

export class MemberNotFound extends domainError(
  'not-found',
  'member_not_found',
  'The member does not exist, or you have no access to it. Check its id.',
) {}

export class UserNotFound extends domainError(
  'not-found',
  'user_not_found',
  'The user does not exist, or you have no access to it. Check its id.',
) {}

export class AlreadyMember extends domainError(
  'conflict',
  'already_a_member',
  'This person is already a member.',
) {}

export class TooManyOrganizations extends domainError(
  'conflict',
  'too_many_organizations',
  (made: number, joined: number) =>
    `A person can belong to ${made} organizations that they created and to ${joined} others. Leave one first.`,
) {}

/** No one could administer an organization without an owner. */
export class OrganizationNeedsAnOwner extends domainError(
  'conflict',
  'last_owner',
  'The last owner cannot leave or take another role. Make another member an owner first.',
) {}

/** Forbidden and not 404: a member may know that the organization exists. */
export class RoleIsInsufficient extends domainError(
  'forbidden',
  'role_not_enough',
  (needed: string) => `This requires ${needed} of the organization, signed in as a person.`,
) {}

/** The role includes permissions that the caller does not have. Callers can grant only their own permissions. */
export class RoleIsNotOffered extends domainError(
  'forbidden',
  'role_not_offered',
  (permissions: readonly string[]) =>
    `This role includes permissions that you do not have and cannot grant: ${permissions.join(', ')}.`,
) {}

/** Otherwise a restricted member could remove the restriction. */
export class OwnOverridesAreFixed extends domainError(
  'forbidden',
  'own_overrides',
  'You cannot change your own permissions. Ask another owner or admin of the organization.',
) {}

export class CallerIsNotPerson extends domainError(
  'forbidden',
  'not_a_person',
  'Only people can do this. Automations have no sessions, own no organizations and see no members. Rotate or disable their credential instead.',
) {}

export class ServiceNotFound extends domainError(
  'not-found',
  'service_not_found',
  'The service does not exist. Check its slug.',
) {}

/** Scopes that are not in the catalog of the service, or that the caller does not have and cannot grant. */
export class ScopesAreNotOffered extends domainError(
  'invalid',
  'scopes_not_offered',
  (scopes: readonly string[]) => ({
    detail: `These scopes cannot be granted: ${scopes.join(', ')}.`,
    errors: scopes.map((scope) => ({
      pointer: '#/scopes',
      code: 'scope_not_offered',
      detail: `${scope} is not in the catalog of the service, or you do not have it`,
    })),
  }),
) {}

export class ApiKeyNotFound extends domainError(
  'not-found',
  'api_key_not_found',
  'The API key does not exist, or you have no access to it. Check its id.',
) {}

export class TooManyApiKeys extends domainError(
  'conflict',
  'too_many_api_keys',
  (max: number) => `The organization has ${max} active API keys, which is the maximum. Revoke one first.`,
) {}

export class ServicePrincipalNotFound extends domainError(
  'not-found',
  'service_principal_not_found',
  'The service principal does not exist, or you have no access to it. Check its id.',
) {}

export class TooManyServicePrincipals extends domainError(
  'conflict',
  'too_many_service_principals',
  (max: number) =>
    `The organization has ${max} active service principals, which is the maximum. Disable one first.`,
) {}
