import { domainError } from '#libs/errors';

export class InvitationNotFound extends domainError(
  'not-found',
  'invitation_not_found',
  'The invitation does not exist, or you have no access to it. Check its id.',
) {}

export class AlreadyInvited extends domainError('conflict', 'already_invited', (invitationId: string) => ({
  detail: 'This person has a pending invitation to the organization. Resend or withdraw that one.',
  members: { invitationId },
})) {}

/** Accepted, declined, withdrawn or expired. */
export class InvitationIsClosed extends domainError('conflict', 'invitation_closed', (status: string) => ({
  detail: `This invitation is ${status}. Ask the organization for another one.`,
  members: { invitationStatus: status },
})) {}

/** The inviter left, is not an administrator any more, or does not have all permissions of the role. */
export class InviterMayNotGiveRole extends domainError(
  'conflict',
  'inviter_not_authorized',
  'The inviter cannot grant the role of this invitation any more. Ask another administrator of the organization to resend it.',
) {}

/** Addresses cannot be verified yet, so an account does not prove ownership of its address. */
export class EmailIsNotVerified extends domainError(
  'conflict',
  'email_not_verified',
  (userId: string) =>
    `This invitation is for an email address, and addresses cannot be verified yet. Ask for an invitation to your user id ${userId}.`,
) {}

export class TooManyInvitations extends domainError(
  'conflict',
  'too_many_invitations',
  (max: number) =>
    `The organization has ${max} pending invitations, which is the maximum. Withdraw one first.`,
) {}
